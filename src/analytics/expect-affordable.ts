import { explain } from '../explain-api.ts';
import type { ExpressionKind } from './expression-error.ts';
import { QueryError } from './query-error.ts';

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
