import { extname } from 'node:path';
import { peek } from './peek.ts';

export type InputFormat = 'ndjson' | 'array' | 'csv';

const BY_EXTENSION: ReadonlyMap<string, InputFormat> = new Map([
  ['.csv', 'csv'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
]);

const BY_CHARACTER: ReadonlyMap<string, InputFormat> = new Map([
  ['[', 'array'],
  ['{', 'ndjson'],
]);

/** A beginning that is still blank after so many bytes is not waited for any longer. */
const MAX_BLANK_BYTES = 2 ** 20;

/** What the name says, else what the first character that is not blank says; and the chunks, this one among them. */
export async function inputFormat(
  file: string,
  chunks: AsyncIterable<Buffer>,
): Promise<{ format: InputFormat; all: AsyncIterable<Buffer> }> {
  const named = BY_EXTENSION.get(extname(file.toLowerCase().replace(/\.gz$/, '')));
  if (named !== undefined) return { format: named, all: chunks };
  const { head, all } = await peek(chunks, (head) => head.length > MAX_BLANK_BYTES || firstCharacter(head) !== '');
  return { format: BY_CHARACTER.get(firstCharacter(head)) ?? 'csv', all };
}

function firstCharacter(head: Buffer): string {
  return head.toString('latin1').trimStart().charAt(0);
}
