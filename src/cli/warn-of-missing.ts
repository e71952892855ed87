import { say } from './say.ts';
import { grouped } from './table.ts';

/** Tells that records were left out for what they lack. */
export function warnOfMissing(records: number, lacking: string): void {
  if (records === 0) return;
  say(
    'warning',
    `${grouped(records)} ${records === 1 ? 'record has' : 'records have'} no ${lacking} and ${records === 1 ? 'is' : 'are'} left out`,
  );
}
