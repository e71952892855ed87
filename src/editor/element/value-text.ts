import type { FormScalar } from '../../lang/form/form.ts';

const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** A quoted string, or text up to the next comma. */
const ITEM = /\s*"(?:[^"\\]|\\.)*"(?=\s*(?:,|$))|[^,]+/g;

/**
 * Reads a value from a field: a number, `true` or `false`, a string in double quotes, or other text as it is.
 *
 * @param isText Whether numbers, `true` and `false` are text too.
 * @returns `undefined` if the field is empty.
 */
export function readValueText(text: string, isText: boolean): FormScalar | undefined {
  const written = text.trim();
  if (written === '') return undefined;
  const quoted = readQuoted(written);
  if (quoted !== undefined || isText) return quoted ?? written;
  if (NUMBER.test(written) && Number.isFinite(Number(written))) return Number(written) + 0;
  return written === 'true' ? true : written === 'false' ? false : written;
}

/** Returns the text of a field with a value, which reads as that value. */
export function showValueText(value: FormScalar, isText: boolean): string {
  if (typeof value !== 'string') return String(value);
  // A field has no line breaks.
  const isPlain = readValueText(value, isText) === value && !/[\r\n]/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** Reads the values of a list from a field, which are separated by commas. */
export function readListText(text: string, isText: boolean): readonly FormScalar[] {
  return (text.match(ITEM) ?? []).flatMap((item) => readValueText(item, isText) ?? []);
}

/** Returns the text of a field with a list, which reads as its values. */
export function showListText(values: readonly FormScalar[], isText: boolean): string {
  const shown = values.map((value) => {
    const text = showValueText(value, isText);
    return text === value && /^"|,/.test(text) ? JSON.stringify(value) : text;
  });
  return shown.join(', ');
}

function readQuoted(text: string): string | undefined {
  if (!/^"(?:[^"\\]|\\.)*"$/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
