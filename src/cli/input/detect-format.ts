import { type DetectedFormat, detectStart, type FormatOptions } from '../../data/file-format.ts';
import { peek } from './chunks.ts';

/** Detects the format by the file name, else by the start of the chunks. Returns all chunks too. */
export async function detectFormat(
  file: string,
  chunks: AsyncIterable<Buffer>,
  options?: FormatOptions,
): Promise<DetectedFormat & { all: AsyncIterable<Buffer> }> {
  const detect = (head: Buffer, isWhole: boolean) => detectStart(file, head.toString('latin1'), isWhole, options);
  const { head, all } = await peek(chunks, (head) => detect(head, false) !== undefined);
  const found = detect(head, false) ?? detect(head, true);
  if (found === undefined) throw new Error('the whole of a file has a format');
  return { ...found, all };
}
