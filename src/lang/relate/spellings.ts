import { parseDateTime } from '../operators/time.ts';
import { formatDecimal } from '../value.ts';

/** Lists decimals that `number` reads as a number, with different beginnings and ends. */
export function spellNumber(number: number): string[] {
  const digits = formatDecimal(Math.abs(number));
  const padded = digits.includes('.') ? `${digits}0` : `${digits}.0`;
  const signs = number < 0 ? ['-'] : number > 0 ? ['', '+'] : ['', '+', '-'];
  const spellings = [digits, `0${digits}`, `00${digits}`, padded, `${digits}e0`, `${digits}E+0`, `${padded}0`];
  const shifted = /^\d(?=\d)/.test(digits)
    ? [`${digits[0]}.${digits.slice(1).replace('.', '')}e${wholeDigits(digits)}`]
    : [];
  if (digits.startsWith('0.')) spellings.push(digits.slice(1));
  return signs.flatMap((sign) => [...spellings, ...shifted].map((spelling) => sign + spelling));
}

function wholeDigits(digits: string): number {
  return (digits.includes('.') ? digits.indexOf('.') : digits.length) - 1;
}

/** Lists dates that `datetime` reads as a time in Unix seconds, whatever the time zone of the query. */
export function* spellTime(time: number): Generator<string> {
  for (const minutes of [0, 1, -1, 720, -720, 1439, -1439]) {
    const local = new Date((time + minutes * 60) * 1000).toISOString();
    if (!/^\d{4}-/.test(local)) continue;
    const clock = local.slice(0, 19);
    const zone = `${minutes < 0 ? '-' : '+'}${new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16)}`;
    const spellings = [`${clock}${zone}`, `${clock.replace('T', ' ')}.5${zone}`];
    if (minutes === 0) spellings.push(`${clock}Z`, `${clock}.000Z`, `${clock.replace('T', ' ')}Z`);
    for (const spelling of spellings) if (parseDateTime(spelling) === time) yield spelling;
  }
}
