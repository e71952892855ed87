import { detectFormatByName, detectFormatByStart, type FileFormat } from '../../data/file-format.ts';
import { peek } from './chunks.ts';

/** A beginning that is still blank after so many bytes is not waited for any longer. */
const MAX_BLANK_BYTES = 2 ** 20;

/** What the name says, else what the first character that is not blank says; and the chunks, this one among them. */
export async function detectFormat(
  file: string,
  chunks: AsyncIterable<Buffer>,
): Promise<{ format: FileFormat; all: AsyncIterable<Buffer> }> {
  const named = detectFormatByName(file);
  if (named !== undefined) return { format: named, all: chunks };
  const { head, all } = await peek(chunks, (head) => head.length > MAX_BLANK_BYTES || textOf(head).trim() !== '');
  return { format: detectFormatByStart(textOf(head)), all };
}

function textOf(head: Buffer): string {
  return head.toString('latin1');
}
