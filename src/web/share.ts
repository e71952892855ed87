const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** A part of a whole: `11.7%`. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : SHARE.format(part / whole);
}
