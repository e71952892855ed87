import { formatInteger } from '../../lang/util/strings.ts';
import { ServiceError } from './errors.ts';

const MAX_RECORDS = 1000;

/** Of one record, as JSON in UTF-8. */
export const MAX_RECORD_BYTES = 2 ** 20;

/** A UTF-16 unit has no more bytes than these in UTF-8. */
const MAX_BYTES_A_UNIT = 3;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const NOT_BLANK = /[^ \t\n\r]/;

/**
 * Cuts the elements out of the text of an array, or takes any other text for the only one. Each is for `JSON.parse` by itself, so
 * that a hostile batch never becomes more objects at once than one record can hold, and what is wrong has a record it is wrong in.
 *
 * Only strings and the depth of brackets are followed. That suffices: a list of texts that are all JSON is JSON.
 *
 * @throws {ServiceError} where they are none, too many or too big, or the array has no proper end.
 */
export function splitBatch(json: string): string[] {
  const open = json.search(NOT_BLANK);
  if (json.charCodeAt(open) !== OPEN_BRACKET) return open === -1 ? refuse(NO_RECORDS) : [withinLimit(json, 0)];
  const records: string[] = [];
  let start = open + 1;
  for (const end of elementEnds(json, start)) {
    if (records.length === MAX_RECORDS) {
      refuse(`data has more than ${formatInteger(MAX_RECORDS)} records. Send them in several batches.`, 413);
    }
    records.push(withinLimit(json.slice(start, end), records.length));
    start = end + 1;
  }
  if (json.charCodeAt(start - 1) !== CLOSE_BRACKET)
    refuse(`record ${records.length}: data ends within it, or lacks a "]".`);
  if (NOT_BLANK.test(json.slice(start))) refuse('data goes on after the "]" that ends the list of records.');
  if (records.length === 1 && !NOT_BLANK.test(json.slice(open + 1, start - 1))) refuse(NO_RECORDS);
  return records;
}

const NO_RECORDS = 'data has no records. Send one, or a list of them, as JSON in base64.';

function refuse(message: string, status: 400 | 413 = 400): never {
  throw new ServiceError(status, message);
}

/** In which record of a batch a text ends that the batch begins with. */
export function countRecordsAtEnd(beginning: string): number {
  const open = beginning.search(NOT_BLANK);
  let index = 0;
  if (beginning.charCodeAt(open) === OPEN_BRACKET) for (const _ of elementEnds(beginning, open + 1)) index++;
  return index;
}

/** Where the elements of an array end: at a comma, the last at what closes the array. */
function* elementEnds(json: string, from: number): Generator<number> {
  for (let depth = 1, at = from; depth > 0 && at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = stringEnd(json, at + 1);
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++;
    else if (unit === COMMA && depth === 1) yield at;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--;
    if (depth === 0 && unit === CLOSE_BRACKET) yield at;
  }
}

/** Where the quote is that ends a string. */
function stringEnd(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at++;
  }
  return json.length;
}

function withinLimit(record: string, index: number): string {
  if (record.length * MAX_BYTES_A_UNIT <= MAX_RECORD_BYTES) return record;
  const bytes = Buffer.byteLength(record.trim());
  if (bytes <= MAX_RECORD_BYTES) return record;
  return refuse(
    `record ${index}: ${formatInteger(bytes)} bytes. A record may have ${formatInteger(MAX_RECORD_BYTES)} (1 MiB).`,
    413,
  );
}
