import { InvalidArgumentError, Option } from 'commander';
import { applyOperator } from '../operators/overloads.ts';
import { FUNCTIONS } from '../operators/table.ts';
import { getUnixTime, type Io } from './io.ts';

/** The option that fixes `now`: Unix seconds, or a date that `datetime` takes. Without it, the clock when the program starts. */
export function createNowOption(io: Io): Option {
  return new Option('--now <time>', 'the time that `now` stands for: Unix seconds or a date')
    .argParser(queryTime)
    .default(getUnixTime(io), 'the clock');
}

function queryTime(text: string): number {
  const time = /^\d{1,12}$/.test(text) ? Number(text) : applyOperator(FUNCTIONS.datetime, [text]);
  if (typeof time === 'number') return time;
  throw new InvalidArgumentError('It takes Unix seconds or a date such as 2025-06-01 or 2025-06-01T12:00:00Z.');
}
