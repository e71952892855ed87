import { QueryError } from './query-error.ts';

/** More than any chart or table shows; each is some bytes of the answer. */
const MOST_NUMBERS = 5_000_000;

/** @throws {QueryError} where an answer would have too many numbers. */
export function expectAnswerSize(numbers: number): void {
  if (numbers <= MOST_NUMBERS) return;
  const message = `The answer would have ${numbers} numbers: ask for fewer segments, or for greater units.`;
  throw new QueryError('parameter', message, 'limit');
}
