// V8 interns the names of properties and short strings, so comparing two of them compares addresses. A substring of the
// source is not interned: reading a property by it, or comparing with it, takes up to three times as long.

const MAX_NAMES = 10_000;

/** Longer names are not interned. Real names are shorter, and an attacker's would fill the memory. */
export const MAX_NAME_LENGTH = 100;

const names = new Map<string, string>();

/** Returns the string that V8 interns for the name of a property; a long string unchanged. */
export function internName(name: string): string {
  if (name.length > MAX_NAME_LENGTH) return name;
  let interned = names.get(name);
  if (interned === undefined) {
    const holder = Object.create(null);
    holder[name] = true;
    interned = Object.keys(holder)[0] as string;
    if (names.size === MAX_NAMES) names.clear();
    names.set(interned, interned);
  }
  return interned;
}

/** Returns the string as `JSON.parse` creates it for the value of a property: it interns short strings. */
export function internValue(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? value : JSON.parse(JSON.stringify(value));
}

const MAX_VALUE_LENGTH = 10;
