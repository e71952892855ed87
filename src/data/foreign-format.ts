const SAVE_AS_CSV = 'Save it as CSV';
const EXPORT = 'Export it as NDJSON or CSV';
const UNPACK = 'Unpack it';
const NOT_A_TABLE = 'onwhere reads NDJSON, JSON, CSV, Parquet and .duckdb files';

/** The choices that can make a file readable. Each front end words them in its own way. */
export interface Remedies {
  /** For CSV that does not look like it. */
  readonly delimiter: string;
  /** For text in an encoding that is not marked. */
  readonly encoding: (name: string) => string;
  /** For files that only the command line reads, by name. */
  readonly commandLine: string;
}

/** Describes a file without records, and says how to convert it. */
export interface FileRefusal {
  /** The rest of a sentence about the file. */
  readonly looks: string;
  readonly advise: (remedies: Remedies) => string;
}

/** Completes a sentence that begins with the name of the file. */
export function describeRefusal({ looks, advise }: FileRefusal, remedies: Remedies): string {
  return `${looks}. ${advise(remedies)}.`;
}

interface Signature {
  /** The bytes as Latin-1 characters. */
  readonly bytes: string;
  /** Where they are; at the start if missing. */
  readonly at?: number;
  readonly kind: string;
  /** Undefined if only the command line reads such files. */
  readonly advice?: string;
}

const SIGNATURES: readonly Signature[] = [
  { bytes: 'PK\x03\x04', kind: 'a ZIP archive', advice: UNPACK },
  { bytes: 'PAR1', kind: 'a Parquet file' },
  { bytes: 'DUCK', at: 8, kind: 'a DuckDB database' },
  { bytes: '\x28\xb5\x2f\xfd', kind: 'compressed with zstd' },
  { bytes: 'PK\x05\x06', kind: 'a ZIP archive', advice: UNPACK },
  { bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', kind: 'an old Office document', advice: SAVE_AS_CSV },
  { bytes: 'SQLite format 3\0', kind: 'a SQLite database', advice: EXPORT },
  { bytes: '%PDF-', kind: 'a PDF document', advice: NOT_A_TABLE },
  { bytes: '\x89PNG\r\n', kind: 'an image', advice: NOT_A_TABLE },
  { bytes: '\xff\xd8\xff', kind: 'an image', advice: NOT_A_TABLE },
  { bytes: 'GIF8', kind: 'an image', advice: NOT_A_TABLE },
  { bytes: 'BZh', kind: 'compressed with bzip2', advice: UNPACK },
  { bytes: '\xfd7zXZ\0', kind: 'compressed with xz', advice: UNPACK },
  { bytes: '7z\xbc\xaf\x27\x1c', kind: 'a 7z archive', advice: UNPACK },
  { bytes: 'Obj\x01', kind: 'an Avro file', advice: EXPORT },
  { bytes: 'ARROW1\0', kind: 'an Arrow file', advice: 'Save it as Parquet' },
  { bytes: 'ustar', at: 257, kind: 'a tar archive', advice: UNPACK },
  { bytes: '\x7fELF', kind: 'a program', advice: NOT_A_TABLE },
];

/** Matches text that is never a table, unless the file name says that it is one. */
const TEXTS: readonly (readonly [start: RegExp, kind: string, advice: string])[] = [
  [/^\s*<(?:!doctype html|html)\b/i, 'an HTML page', SAVE_AS_CSV],
  [/^\s*<(?:\?xml|!--|[a-z][\w:.-]*[\s/>])/i, 'an XML document', EXPORT],
];

/** The first bytes that {@link describeForeign} needs at most. */
const SIGNATURE_BYTES = 2 ** 12;

/** Returns whether the first bytes (as Latin-1 characters) are enough for {@link describeForeign}. */
export function hasSignature(head: string): boolean {
  return head.length >= SIGNATURE_BYTES || isJson(head) || isLine(head);
}

function isJson(head: string): boolean {
  return /^\s*[[{]./s.test(head) && !head.trimStart().startsWith('\0', 1);
}

/** Returns whether the head has a line of text. ZIP archives have names after the first bytes, which tell more. */
function isLine(head: string): boolean {
  return head.includes('\n') && !head.split('\n', 1)[0]?.includes('\0') && !head.startsWith('PK');
}

/**
 * Describes a file that has no records by its first bytes (as Latin-1 characters), and says what to do. Returns
 * undefined for text and for unknown formats.
 *
 * @param isText Whether the file name or the user says that it is text.
 */
export function describeForeign(start: string, isText: boolean): FileRefusal | undefined {
  const head = start.slice(0, SIGNATURE_BYTES);
  const signature = SIGNATURES.find(({ bytes, at }) => head.startsWith(bytes, at));
  if (signature?.kind === 'a ZIP archive' && /xl\/|\[Content_Types\]/.test(head))
    return createRefusal('is an Excel workbook', SAVE_AS_CSV);
  if (signature !== undefined) return createRefusal(`is ${signature.kind}`, signature.advice);
  if (isText) return undefined;
  const text = TEXTS.find(([pattern]) => pattern.test(head));
  if (text !== undefined) return createRefusal(`is ${text[1]}`, text[2]);
  if (!head.includes('\0') || isJson(head) || isLine(head)) return undefined;
  const [even, odd] = [0, 1].map((from) => [0, 2, 4].every((at) => head[from + at] === '\0'));
  if (even === odd) return createRefusal('is a binary file', NOT_A_TABLE);
  const encoding = even ? 'utf-16be' : 'utf-16le';
  return { looks: 'is UTF-16 without a byte order mark', advise: (remedies) => remedies.encoding(encoding) };
}

function createRefusal(looks: string, advice: string | undefined): FileRefusal {
  return { looks, advise: ({ commandLine }) => advice ?? commandLine };
}

/** Matches the start of a line of a log, where a table would have its header. */
const LOG_LINE =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d|\[?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} \d\d:\d\d|(?:\d{1,3}\.){3}\d{1,3} \S+ \S+ \[|\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b)/;

/** A column name is shorter. */
const PROSE_WORDS = 6;

/** Describes text that looks like a log or prose and not like a table, and says what to do. */
export function describeText(text: string, hasColumns: boolean): FileRefusal | undefined {
  const lines = text
    .split(/\r\n|\n|\r/, 20)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first = ''] = lines;
  if (LOG_LINE.test(first)) {
    const advise = ({ delimiter }: Remedies) => `Write it as NDJSON, one object per line. ${delimiter}`;
    return { looks: 'looks like a log', advise };
  }
  if (hasColumns) return undefined;
  const isProse = lines.some((line) => line.split(/\s+/).length >= PROSE_WORDS);
  return isProse
    ? { looks: 'looks like plain text, without columns', advise: ({ delimiter }) => delimiter }
    : undefined;
}
