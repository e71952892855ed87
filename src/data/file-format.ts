/** How the records of a file are written. */
export type FileFormat = 'ndjson' | 'array' | 'csv';

const BY_EXTENSION: ReadonlyMap<string | undefined, FileFormat> = new Map([
  ['.csv', 'csv'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
]);

const BY_CHARACTER: ReadonlyMap<string, FileFormat> = new Map([
  ['[', 'array'],
  ['{', 'ndjson'],
]);

/** What the name of a file says, with or without `.gz`; undefined where it says nothing. */
export function detectFormatByName(file: string): FileFormat | undefined {
  const [, extension] = /[^/\\](\.[^./\\]+)$/.exec(file.toLowerCase().replace(/\.gz$/, '')) ?? [];
  return BY_EXTENSION.get(extension);
}

/** What the first character of a file says that is not blank. */
export function detectFormatByStart(text: string): FileFormat {
  return BY_CHARACTER.get(text.trimStart().charAt(0)) ?? 'csv';
}
