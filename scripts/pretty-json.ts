const WIDTH = 100;

/** Formats JSON with objects and arrays on one line if they fit. */
export function prettyJson(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1)
    .replace(/\n */g, ' ')
    .replace(/\[ (?=\S)|(?<=\S) \]/g, (bracket) => bracket.trim());
  if (indent.length + flat.length <= WIDTH || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => prettyJson(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${prettyJson(member, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}
