/** Larger and smaller numbers are written with an exponent. */
const [LARGE, SMALL] = [1e15, 1e-4];

const MINUS = '\u2212';
const SPACE = '\u00a0';

const PLAIN = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const PRECISE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

/** Formats a value of an answer: `1,204`, `48.25`, `1.8e+308`. Null is a sum that exceeds the largest number. */
export function formatNumber(value: number | null): string {
  if (value === null) return 'too large';
  return formatWith(PLAIN, value);
}

/** Formats a value of an axis, shorter than elsewhere: `1,200`, `12K`. */
export function formatTick(value: number): string {
  return formatWith(Math.abs(value) < 10_000 ? PLAIN : COMPACT, value);
}

function formatWith(format: Intl.NumberFormat, value: number): string {
  const size = Math.abs(value);
  if (size >= LARGE || (size > 0 && size < SMALL))
    return value
      .toExponential(2)
      .replace(/\.?0*e/, 'e')
      .replace(/^-/, MINUS);
  return (size > 0 && size < 0.1 ? PRECISE : format).format(value).replace(/^-/, MINUS);
}

/** Formats a share: `39 %`; `–` of nothing. Only all is `100 %`, and only nothing `0 %`. */
export function formatPercent(part: number, whole: number, digits = 0): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  const rounded = Number(percent.toFixed(digits));
  const isHidden = (rounded === 0 && part !== 0) || (rounded === 100 && part !== whole);
  if (isHidden && digits < 1) return formatPercent(part, whole, 1);
  if (isHidden) return `${rounded === 0 ? '<0.1' : '>99.9'}${SPACE}%`;
  return `${percent.toFixed(digits)}${SPACE}%`;
}

/** Formats a change: `+8.2 %`, `−2 %`; `new` if there was nothing before. Undefined if a number is not known, or both are 0. */
export function formatChange(now: number | undefined, before: number | undefined): string | undefined {
  if (now === undefined || before === undefined) return undefined;
  if (before === 0) return now === 0 ? undefined : 'new';
  return `${formatSigned((100 * (now - before)) / Math.abs(before))}${SPACE}%`;
}

/** Formats a number with its sign, rounded to a tenth. */
export function formatSigned(value: number): string {
  const rounded = Number(value.toFixed(1));
  const sign = rounded > 0 ? '+' : rounded < 0 ? MINUS : '';
  return `${sign}${PLAIN.format(Math.abs(rounded))}`;
}

/** Formats a duration in its two largest units: `3 h 20 min`. */
export function formatTimeSpan(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole === 0) return 'under 1 s';
  const at = UNITS.findIndex(([, size]) => size <= whole);
  const [[name, size], [smallName, smallSize] = ['', 1]] = UNITS.slice(at) as [Unit, Unit?];
  const rest = Math.floor((whole % size) / smallSize);
  return `${Math.floor(whole / size)} ${name}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

type Unit = readonly [name: string, seconds: number];

const UNITS: readonly Unit[] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];
