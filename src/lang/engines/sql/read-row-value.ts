import { assertObject } from '../../../base/guard.ts';
import { readValue, type Value } from '../../value.ts';
import { decodeElement, NO_LIST } from './encode-element.ts';
import type { ChannelName } from './to-statement.ts';

/**
 * Returns the value of a row that was selected with the channels of `SqlParts.value`. At most one of the selected
 * channels holds a value.
 *
 * @throws {TypeError} if the row is not an object.
 */
export function readRowValue(row: Readonly<Partial<Record<ChannelName, unknown>>>): Value {
  assertObject(row, 'row', 'an object with the selected channels');
  const { number, string, boolean, list, json } = row;
  if (typeof json === 'string' && json !== '') return readValue(JSON.parse(json));
  if (typeof string === 'string') return string;
  if (number !== null && number !== undefined) return Number(number) + 0;
  if (boolean !== null && boolean !== undefined) return boolean === true || boolean === 1;
  if (row.null === true || row.null === 1) return null;
  const keys = readArray(list);
  return keys !== undefined && keys[0] !== NO_LIST ? keys.map(decodeElement) : undefined;
}

/** Returns an array of a row: a JSON list in a database without arrays. Undefined for any other value. */
export function readArray(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return JSON.parse(value);
  return Array.isArray(value) ? value : undefined;
}
