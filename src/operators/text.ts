import { isEqual, type Scalar, type Value } from '../language/value.ts';

/** Whether some element equals the value: `in` with a list, from a property or written (language, section 4, rule 5). */
export function isElement(value: Value, list: readonly Scalar[]): boolean {
  return list.some((element) => isEqual(value, element));
}

/** Whether a text is part of the value or, of a list, an element: `"text" in value` is true. */
export function contains(value: Value, text: string): boolean {
  return typeof value === 'string' ? value.includes(text) : Array.isArray(value) && value.includes(text);
}
