import type { Scalar } from '../../value.ts';

/**
 * Returns the list element that a key represents. The key of a string is a double quote followed by the unescaped
 * string. Other keys are `true`, `false`, `null`, or a number as the database writes it, which parses to the same
 * double.
 */
export function decodeElement(key: string): Scalar {
  switch (key) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
    default:
      return key.startsWith('"') ? key.slice(1) : Number(key) + 0;
  }
}

/** Returns the key of a string. */
export function encodeString(string: string): string {
  return `"${string}`;
}

/**
 * In a database whose arrays are never NULL, an array of only this key means that there is no list. No element has it.
 */
export const NO_LIST = '';
