import { isJsonObject } from '../base/json.ts';
import { guessDelimiter } from './csv-delimiter.ts';
import type { TableOptions } from './csv-table.ts';
import type { Encoding } from './encoding.ts';
import { describeText, type FileRefusal } from './foreign-format.ts';
import { findLogFormat } from './log-formats.ts';
import { findNumberSpelling, type NumberSpelling } from './number-spelling.ts';
import { isWrapper } from './object-splitter.ts';
import { tryParseJson } from './try-parse-json.ts';
import { findKnownPath, KNOWN_START_CHARACTERS } from './wrapper-splitter.ts';

/** The format of a file of records. `objects` are JSON objects on any number of lines, `log` lines of a server. */
export type FileFormat = 'ndjson' | 'array' | 'objects' | 'csv' | 'log';

/** How to read files, if the user says so. */
export interface FormatOptions extends TableOptions {
  /** The delimiter of CSV; one character. */
  readonly delimiter?: string | undefined;
  readonly encoding?: Encoding | undefined;
  /** The names of the list with the records in JSON objects, joined by dots, such as `log.entries`. */
  readonly records?: string | undefined;
  /** The table to read from a .duckdb file with several tables. */
  readonly table?: string | undefined;
  /** The seconds that DuckDB may spend on a query of a file, reading its rows included. */
  readonly timeLimit?: number | undefined;
  /** The memory that DuckDB may use for files, such as `2GB`. */
  readonly memoryLimit?: string | undefined;
}

/** The format of a file and what was guessed. */
export interface DetectedFormat {
  readonly format: FileFormat;
  /** The delimiter of CSV. */
  readonly delimiter?: string;
  /** The names of the list with the records, joined by dots. */
  readonly records?: string | undefined;
  /** Tells the user which format was guessed. */
  readonly note?: string;
  /** A number in CSV that is read as a string. */
  readonly unread?: NumberSpelling | undefined;
  /** Describes a file that has no records. */
  readonly refusal?: FileRefusal;
}

/** Gives up on a longer start of a file. */
const MAX_HEAD = 2 ** 20;

const BY_EXTENSION: ReadonlyMap<string | undefined, FileFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
]);

/**
 * Detects the format by the file name, with or without `.gz`, else by the start of the file. Returns undefined if the
 * start is too short to tell.
 *
 * @param start The first bytes as Latin-1 characters, without a byte order mark.
 * @param isWhole Whether there are no more bytes.
 */
export function detectStart(
  file: string,
  start: string,
  isWhole: boolean,
  { delimiter, records, columns, header }: FormatOptions = {},
): DetectedFormat | undefined {
  if (records !== undefined) return { format: 'objects', records };
  const json = start.trimStart();
  const known = findKnownPath(json);
  if (known !== undefined) return { format: 'objects', records: known, note: `the records are in "${known}"` };
  const mayBeKnown = /^(?:$|[[{])/.test(json) && json.length < KNOWN_START_CHARACTERS && !json.includes('\n');
  if (mayBeKnown && !isWhole && start.length < MAX_HEAD) return undefined;
  const named = detectFormatByName(file);
  if (named === 'ndjson') return { format: named };
  if (delimiter !== undefined || columns !== undefined || header === false) return detectCsv(start, isWhole, delimiter);
  const log = start.includes('\n') || isWhole ? findLogFormat(start) : undefined;
  if (log !== undefined) return { format: 'log', note: log.title };
  if (named === 'csv') return detectCsv(start, isWhole, delimiter);
  const text = start.trimStart();
  if (text === '' && !isWhole && start.length < MAX_HEAD) return undefined;
  if (text.startsWith('{')) {
    const format = detectJson(text, isWhole);
    return format && { format };
  }
  if (text.startsWith('[') && !isWhole && text.length < 2 ** 5) return undefined;
  if (text.startsWith('[') && describeText(text, true) === undefined) return { format: 'array' };
  const found = detectCsv(text, isWhole, undefined);
  const refusal = found && describeText(text, found.columns > 1);
  return refusal === undefined ? found : { format: 'csv', refusal };
}

/** Detects the format by the file name, with or without `.gz`. Returns undefined for other extensions. */
export function detectFormatByName(file: string): FileFormat | undefined {
  const [, extension] = /[^/\\](\.[^./\\]+)$/.exec(file.toLowerCase().replace(/\.(?:gz|zst)$/, '')) ?? [];
  return BY_EXTENSION.get(extension);
}

function detectCsv(start: string, isWhole: boolean, delimiter: string | undefined) {
  if (delimiter !== undefined)
    return { format: 'csv' as const, delimiter, columns: 2, unread: findNumberSpelling(start, delimiter) };
  const guess = guessDelimiter(start, isWhole);
  if (guess === undefined) return undefined;
  const note = guess.delimiter === ',' ? {} : { note: `CSV separated by ${nameDelimiter(guess.delimiter)}` };
  return { format: 'csv' as const, ...guess, ...note, unread: findNumberSpelling(start, guess.delimiter) };
}

function nameDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'tabs' : JSON.stringify(delimiter);
}

/** Distinguishes NDJSON from objects on several lines by the first line. */
function detectJson(start: string, isWhole: boolean): 'ndjson' | 'objects' | undefined {
  // Empty objects are on one line even in pretty-printed JSON.
  const text = start.replace(/^(?:\{\}[ \t\r]*\n\s*)+/, '');
  if (text === '' && (isWhole || start.length >= MAX_HEAD)) return 'ndjson';
  const end = text.indexOf('\n');
  if (end === -1 && !isWhole) return text.length < MAX_HEAD ? undefined : 'objects';
  const first = end === -1 ? text : text.slice(0, end);
  const rest = end === -1 ? '' : text.slice(end).trimStart();
  const json = tryParseJson(first);
  if (isJsonObject(json) && !isWrapper(json) && Object.keys(json).length > 0) return 'ndjson';
  if (rest === '' && !isWhole && text.length < MAX_HEAD) return undefined;
  if (isJsonObject(json)) return rest === '' ? 'objects' : 'ndjson';
  const { closed, depth } = measure(first);
  if (closed !== undefined) {
    const isFollowed = first.slice(closed).trimStart().startsWith('{');
    return isFollowed && isJsonObject(tryParseJson(first.slice(0, closed))) ? 'objects' : 'ndjson';
  }
  if (depth === undefined || rest === '') return 'ndjson';
  // The first line of NDJSON can be cut off; the next one is then whole.
  const [second = ''] = rest.split('\n', 1);
  if (isJsonObject(tryParseJson(second))) return first.trimEnd().endsWith('[') ? 'objects' : 'ndjson';
  return 'objects';
}

/** Returns where the first value of a line ends, or the depth of brackets after the line, unless it ends in a string. */
function measure(line: string): { closed?: number; depth?: number } {
  let [depth, isString] = [0, false];
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (isString) {
      if (character === '\\') at++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return { closed: at + 1 };
  }
  return isString ? {} : { depth };
}
