// V8 keeps names and short texts once each, so that comparing two of them is comparing two addresses. A text that was cut out of
// another is none of these: to read a property by it, or to compare with it, takes up to three times as long.

const MAX_NAMES = 10_000;

/** No real property has a longer name. Names that attackers write would fill the memory. */
export const MAX_NAME_LENGTH = 100;

const names = new Map<string, string>();

/** The same text as V8 keeps it for the name of a property; a long one as it is. */
export function internName(text: string): string {
  if (text.length > MAX_NAME_LENGTH) return text;
  let name = names.get(text);
  if (name === undefined) {
    const holder = Object.create(null);
    holder[text] = true;
    name = Object.keys(holder)[0] as string;
    if (names.size === MAX_NAMES) names.clear();
    names.set(name, name);
  }
  return name;
}

/** The same text as `JSON.parse` makes it for the value of a property: the short ones are kept once. */
export function internValue(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? text : JSON.parse(JSON.stringify(text));
}

const MAX_VALUE_LENGTH = 10;
