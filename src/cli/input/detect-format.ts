import { detectFormatByName, detectFormatByStart, type FileFormat } from '../../data/file-format.ts';
import { peek } from './chunks.ts';

/** Gives up on finding a character after this many blank bytes. */
const MAX_BLANK_BYTES = 2 ** 20;

/** Detects the format by the file name, else by the first character that is not blank. Returns all chunks too. */
export async function detectFormat(
  file: string,
  chunks: AsyncIterable<Buffer>,
): Promise<{ format: FileFormat; all: AsyncIterable<Buffer> }> {
  const named = detectFormatByName(file);
  if (named !== undefined) return { format: named, all: chunks };
  const { head, all } = await peek(chunks, (head) => head.length > MAX_BLANK_BYTES || decode(head).trim() !== '');
  return { format: detectFormatByStart(decode(head)), all };
}

function decode(head: Buffer): string {
  return head.toString('latin1');
}
