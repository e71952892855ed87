import { QueryError } from './query-error.ts';

/** More than any chart or table shows; each is some bytes of the answer. */
const MOST_NUMBERS = 5_000_000;

/** The parameters that can make an answer too long, the likeliest first. A request may lack some of them. */
const PARAMETERS = ['interval_count', 'buckets', 'limit', 'values', 'unit', 'to_date', 'interval'];

/** @throws {QueryError} where an answer would have too many numbers. */
export function expectAnswerSize(numbers: number): void {
  if (numbers <= MOST_NUMBERS) return;
  const [found, most] = [numbers, MOST_NUMBERS].map((number) => number.toLocaleString('en-US'));
  const message = `The answer would have ${found} numbers, and ${most} are the most: ask for fewer days or series, or for a longer unit.`;
  throw new QueryError('parameter', message, PARAMETERS);
}
