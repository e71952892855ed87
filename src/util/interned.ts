const MOST = 10_000;

const known = new Map<string, string>();

/**
 * The same text as V8 keeps it for the names of properties. Reading a property by a text that was cut out of another one, or
 * comparing with it, takes up to three times as long; making the one into the other is slow too, so that those made are kept.
 */
export function interned(text: string): string {
  let name = known.get(text);
  if (name === undefined) {
    name = nameOf(text);
    if (known.size === MOST) known.clear();
    known.set(name, name);
  }
  return name;
}

function nameOf(text: string): string {
  const holder = Object.create(null);
  holder[text] = true;
  return Object.keys(holder)[0] as string;
}
