/** The format of a file of records. */
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

/** Detects the format by the file name, with or without `.gz`. Returns undefined for other extensions. */
export function detectFormatByName(file: string): FileFormat | undefined {
  const [, extension] = /[^/\\](\.[^./\\]+)$/.exec(file.toLowerCase().replace(/\.gz$/, '')) ?? [];
  return BY_EXTENSION.get(extension);
}

/** Detects the format by the first character that is not blank. */
export function detectFormatByStart(text: string): FileFormat {
  return BY_CHARACTER.get(text.trimStart().charAt(0)) ?? 'csv';
}
