import { explain } from '../../api/explain.ts';
import { formatInteger } from '../../lang/util/strings.ts';
import { QueryError } from './errors.ts';
import type { ExpressionKind } from './expression-error.ts';

/** An expression of a query. */
interface Costly {
  readonly source: string;
  readonly kind: ExpressionKind;
}

/**
 * The most that the expressions of a query may cost together. DuckDB plans for a time that grows with the square of it, and does not heed interrupts
 * meanwhile: with so many scans, for some seconds. Two expressions may have all levels that the language allows, with a scan in each.
 */
const MAX_COST = { scans: 512, reads: 3_000 } as const;

const WORDS: Readonly<Record<keyof typeof MAX_COST, string>> = {
  scans: 'operations that go through a string or a list',
  reads: 'properties to read',
};

/**
 * Refuses expressions, which are sound, before a database has to plan them.
 *
 * @throws {QueryError} that says what they cost, and what is the most.
 */
export function assertAffordable(expressions: readonly Costly[]): void {
  const costs = expressions.map(({ source }) => explain(source).cost);
  for (const [name, most] of Object.entries(MAX_COST) as [keyof typeof MAX_COST, number][]) {
    const cost = costs.reduce((sum, own) => sum + own[name], 0);
    if (cost <= most) continue;
    const greatest = costs.reduce((index, own, at) => (own[name] > (costs[index]?.[name] ?? 0) ? at : index), 0);
    const [found, limit] = [cost, most].map((number) => number.toLocaleString('en-US'));
    throw new QueryError(
      expressions[greatest]?.kind ?? 'selector',
      `The query has ${found} ${WORDS[name]}, and ${limit} are the most: ask for less at once. A list of values with \`in\` costs little.`,
    );
  }
}

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

/** How many people a page has. */
export const PAGE_SIZE = 1_000;

/** The properties of the people on a page have so many characters together at most: a page is held in memory. */
export const MAX_PAGE_CHARACTERS = 32_000_000;

/** @throws {QueryError} where the properties of the people on a page have more characters than it may have. */
export function assertPageSize(characters: number): void {
  if (characters <= MAX_PAGE_CHARACTERS) return;
  const [size, most] = [PAGE_SIZE, MAX_PAGE_CHARACTERS].map(formatInteger);
  const message = `A page of ${size} people would have too many characters (${most} are the most): ask for people with smaller profiles.`;
  throw new QueryError('parameter', message, ['where']);
}
