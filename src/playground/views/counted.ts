const COUNT = new Intl.NumberFormat('en-US');
const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** A number as people read it: `70,051`. */
export function counted(count: number): string {
  return COUNT.format(count);
}

/** A number of things: `1 event`, `70,051 events`. */
export function countedThings(count: number, thing: string): string {
  return `${counted(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** A part of a whole: `11.7%`. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : SHARE.format(part / whole);
}
