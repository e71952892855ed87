import { decimalText, type Scalar, type Value } from '../language/value.ts';

/** The segments that a value puts its record into, by name: a list into one for each distinct element (language, section 5). */
export function segmentNames(value: Value): string[] {
  return Array.isArray(value) ? [...new Set(value.map(segmentName))] : [segmentName(value as Scalar | undefined)];
}

function segmentName(value: Scalar | undefined): string {
  return typeof value === 'number' ? decimalText(value) : String(value);
}
