/** A number as people read it: `70,051`. */
export function formatInteger(count: number): string {
  return count.toLocaleString('en-US');
}

/** A number of things: `1 event`, `70,051 events`. */
export function pluralize(count: number, thing: string): string {
  return `${formatInteger(count)} ${thing}${count === 1 ? '' : 's'}`;
}
