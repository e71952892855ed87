import { formatInteger } from '../util/counted.ts';
import { QueryError } from './query-error.ts';

/** More than any chart or table shows; each is some bytes of the answer, and is held in memory while the answer is worked out. */
export const MAX_NUMBERS = 5_000_000;

/** The names in an answer have so many characters together at most, since they are held in memory. */
export const MAX_NAME_CHARACTERS = 32_000_000;

/** The parameters that can make an answer too long, the likeliest first. A request may lack some of them. */
const PARAMETERS = ['interval_count', 'buckets', 'limit', 'values', 'unit', 'to_date', 'interval'];

/** @throws {QueryError} where an answer would have too many numbers, or too many characters in its names. */
export function assertAnswerSize(numbers: number, nameCharacters = 0): void {
  if (numbers > MAX_NUMBERS) throw tooLong('numbers', MAX_NUMBERS);
  if (nameCharacters > MAX_NAME_CHARACTERS) throw tooLong('characters in names', MAX_NAME_CHARACTERS);
}

/** How many series of so many numbers to ask for: where there are more than an answer can have, one more, which tells. */
export function limitSeries(limit: number, numbersEach: number): number {
  return Math.min(limit, Math.floor(MAX_NUMBERS / Math.max(1, numbersEach)) + 1);
}

function tooLong(what: string, most: number): QueryError {
  const message = `The answer would have too many ${what} (${formatInteger(most)} are the most): ask for fewer days or series, or for a longer unit.`;
  return new QueryError('parameter', message, PARAMETERS);
}
