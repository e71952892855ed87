/** Writes the numbers of JSON lines as JavaScript does. A store may write `1e+21` as `1e21`. */
export function normalizeLines(lines: string): string {
  return lines.replace(/.+/g, (line) => JSON.stringify(JSON.parse(line)));
}
