import { formatInteger } from '../base/strings.ts';
import type { Checked } from '../lang/check/check.ts';
import { estimateCost } from '../lang/check/estimate-cost.ts';
import { QueryError } from './errors.ts';
import type { ExpressionKind } from './expression-error.ts';

/** An expression of a query whose cost counts. */
interface CostedExpression {
  readonly checked: Checked;
  readonly kind: ExpressionKind;
}

/**
 * The maximum total cost of a query's expressions. DuckDB's planning time grows with its square and ignores interrupts;
 * this many scans take some seconds. Two expressions may each use all levels that the language allows, with a scan in
 * each.
 */
const MAX_COST = { scans: 512, reads: 3_000 } as const;

const COST_NAMES: Readonly<Record<keyof typeof MAX_COST, string>> = {
  scans: 'operations that go through a string or a list',
  reads: 'properties to read',
};

/**
 * Asserts that a database can plan the expressions, which are valid, in reasonable time.
 *
 * @throws {QueryError} with their cost and the limit
 */
export function assertAffordable(expressions: readonly CostedExpression[]): void {
  const costs = expressions.map(({ checked }) => estimateCost(checked));
  for (const [name, max] of Object.entries(MAX_COST) as [keyof typeof MAX_COST, number][]) {
    const cost = costs.reduce((sum, own) => sum + own[name], 0);
    if (cost <= max) continue;
    const costliest = costs.reduce((index, own, at) => (own[name] > (costs[index]?.[name] ?? 0) ? at : index), 0);
    const [found, limit] = [cost, max].map((number) => number.toLocaleString('en-US'));
    throw new QueryError(
      expressions[costliest]?.kind ?? 'selector',
      `The query has ${found} ${COST_NAMES[name]}, but at most ${limit} are allowed: ask for less at once. A list of values with \`in\` costs little.`,
    );
  }
}

/** The maximum number of values in an answer, which is held in memory: more than any chart or table shows. */
export const MAX_NUMBERS = 5_000_000;

/** The maximum total length of the names in an answer, which are held in memory. */
export const MAX_NAME_CHARACTERS = 32_000_000;

/** The parameters that can make an answer too large, most likely first. A request may lack some of them. */
const PARAMETERS = ['interval_count', 'buckets', 'limit', 'values', 'unit', 'to_date', 'interval'];

/** @throws {QueryError} if an answer would have too many values, or too many characters in its names */
export function assertAnswerSize(numbers: number, nameCharacters = 0): void {
  if (numbers > MAX_NUMBERS) throw createSizeError('numbers', MAX_NUMBERS);
  if (nameCharacters > MAX_NAME_CHARACTERS) throw createSizeError('characters in names', MAX_NAME_CHARACTERS);
}

/** Returns how many series to query: at most one more than an answer can have, to detect an overflow. */
export function limitSeries(limit: number, numbersEach: number): number {
  return Math.min(limit, Math.floor(MAX_NUMBERS / Math.max(1, numbersEach)) + 1);
}

function createSizeError(what: string, max: number): QueryError {
  const message = `The answer would have too many ${what} (at most ${formatInteger(max)}): ask for fewer days or series, or for a longer unit.`;
  return new QueryError('parameter', message, PARAMETERS);
}

/** The number of people on a page. */
export const PAGE_SIZE = 1_000;

/** The maximum total length of the properties on a page, which is held in memory. */
export const MAX_PAGE_CHARACTERS = 32_000_000;

/** @throws {QueryError} if the properties of a page have too many characters */
export function assertPageSize(characters: number): void {
  if (characters <= MAX_PAGE_CHARACTERS) return;
  const [size, max] = [PAGE_SIZE, MAX_PAGE_CHARACTERS].map(formatInteger);
  const message = `A page of ${size} people would have too many characters (at most ${max}): ask for people with smaller profiles.`;
  throw new QueryError('parameter', message, ['where']);
}
