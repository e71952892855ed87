import type { Scalar } from '../../value.ts';

/**
 * The element of a list that a key stands for. The key of a text begins with a double quote and goes on with the text as it is; the
 * other keys are `true`, `false`, `null`, or a number as the database writes it, which reads back as the same double.
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

/** The key of a text. */
export function encodeString(text: string): string {
  return `"${text}`;
}

/** The only key of what stands for no list in a database whose arrays are never NULL; no element has it. */
export const NO_LIST = '';
