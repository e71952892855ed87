import { formatInteger } from '../../../base/strings.ts';
import { ServiceError } from '../../../queries/service-error.ts';

const MAX_RECORDS = 1000;

/** The maximum size of a record, as JSON in UTF-8. */
export const MAX_RECORD_BYTES = 2 ** 20;

/** The maximum number of UTF-8 bytes for one UTF-16 unit. */
const MAX_BYTES_A_UNIT = 3;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const NOT_SPACE = /[^ \t\n\r]/;

/**
 * Splits a JSON array into the text of its elements. Any other JSON is returned as the only element.
 *
 * Each element is parsed separately, so that a hostile batch never creates more objects than one record holds and each
 * error names its record. Tracking strings and bracket depth suffices: a list of valid JSON texts is valid JSON.
 *
 * @throws {ServiceError} 400 for no records or an unfinished array, 413 for too many or too large records
 */
export function splitBatch(json: string): string[] {
  const open = json.search(NOT_SPACE);
  if (json.charCodeAt(open) !== OPEN_BRACKET) return open === -1 ? refuse(NO_RECORDS) : [checkSize(json, 0)];
  const records: string[] = [];
  let start = open + 1;
  for (const end of findElementEnds(json, start)) {
    if (records.length === MAX_RECORDS) {
      refuse(`data has more than ${formatInteger(MAX_RECORDS)} records. Send them in several batches.`, 413);
    }
    records.push(checkSize(json.slice(start, end), records.length));
    start = end + 1;
  }
  if (json.charCodeAt(start - 1) !== CLOSE_BRACKET)
    refuse(`record ${records.length}: data ends within it, or lacks a "]".`);
  if (NOT_SPACE.test(json.slice(start))) refuse('data continues after the "]" that ends the list of records.');
  if (records.length === 1 && !NOT_SPACE.test(json.slice(open + 1, start - 1))) refuse(NO_RECORDS);
  return records;
}

const NO_RECORDS = 'data has no records. Send one, or a list of them, as JSON in base64.';

function refuse(message: string, status: 400 | 413 = 400): never {
  throw new ServiceError(status, message);
}

/** Returns the index of the record in which `beginning` ends. */
export function countRecordsAtEnd(beginning: string): number {
  const open = beginning.search(NOT_SPACE);
  let index = 0;
  if (beginning.charCodeAt(open) === OPEN_BRACKET) for (const _ of findElementEnds(beginning, open + 1)) index++;
  return index;
}

/** Yields the offsets at which the elements of an array end: each comma, and the closing bracket. */
function* findElementEnds(json: string, from: number): Generator<number> {
  for (let depth = 1, at = from; depth > 0 && at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = findStringEnd(json, at + 1);
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++;
    else if (unit === COMMA && depth === 1) yield at;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--;
    if (depth === 0 && unit === CLOSE_BRACKET) yield at;
  }
}

/** Returns the offset of the quote that closes a string. */
function findStringEnd(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at++;
  }
  return json.length;
}

function checkSize(record: string, index: number): string {
  if (record.length * MAX_BYTES_A_UNIT <= MAX_RECORD_BYTES) return record;
  const bytes = Buffer.byteLength(record.trim());
  if (bytes <= MAX_RECORD_BYTES) return record;
  return refuse(
    `record ${index}: ${formatInteger(bytes)} bytes. A record may have ${formatInteger(MAX_RECORD_BYTES)} (1 MiB).`,
    413,
  );
}
