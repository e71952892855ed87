import { formatInteger } from '../../base/strings.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { numberColumns, renderBars, renderTitledTable } from '../terminal/table.ts';
import { formatDuration, formatPercent } from './figures.ts';

interface Step {
  readonly event: string;
  readonly count: number;
  /** Seconds; null if no one reached the step. */
  readonly avg_time: number | null;
}

/** The steps of the users who began on a date. */
interface Attempts {
  readonly steps: readonly Step[];
}

/** A response of `/funnels/`. With `on`, each date has an object for all users and for each segment. */
export interface FunnelAnswer {
  readonly meta: { readonly dates: readonly string[] };
  readonly data: Readonly<Record<string, Attempts | Readonly<Record<string, Attempts>>>>;
}

/** The key of all users. */
const OVERALL = '$overall';

/**
 * Renders the number of users at each step, then their trend by date and, with `on`, by segment.
 *
 * @param whole The answer with one date for all: a user who begins on two dates counts once.
 */
export function renderFunnel(
  out: OutputStream,
  { meta: { dates }, data }: FunnelAnswer,
  whole: FunnelAnswer,
): string[] {
  const all = listAttempts(whole.data[whole.meta.dates[0] ?? ''] ?? {});
  const overall = findOverall(all);
  const segments = all.filter(([name]) => name !== OVERALL);
  const largestFirst = segments.toSorted(([, left], [, right]) => countStarts(right) - countStarts(left));
  const byDate = dates.map((date) => [date, findOverall(listAttempts(data[date] ?? {}))] as const);
  return [
    ...renderSteps(out, overall),
    ...(dates.length > 1 ? ['', ...renderCounts(out, 'started on', byDate)] : []),
    ...(segments.length > 0 ? ['', ...renderCounts(out, 'segment', largestFirst)] : []),
  ];
}

function findOverall(all: readonly (readonly [string, Attempts])[]): Attempts {
  return all.find(([name]) => name === OVERALL)?.[1] ?? { steps: [] };
}

function listAttempts(found: FunnelAnswer['data'][string]): [string, Attempts][] {
  return isAttempts(found) ? [[OVERALL, found]] : Object.entries(found);
}

function isAttempts(found: object): found is Attempts {
  return 'steps' in found && Array.isArray(found.steps);
}

function countStarts({ steps }: Attempts): number {
  return steps[0]?.count ?? 0;
}

/** Formats a fraction; empty if `of` is 0. */
function formatShare(count: number, of: number): string {
  return of === 0 ? '' : formatPercent(count / of);
}

function renderSteps(out: OutputStream, attempts: Attempts): string[] {
  const { steps } = attempts;
  const rows = steps.map(({ event, count, avg_time }, index) => [
    `${index + 1} ${event}`,
    formatInteger(count),
    index === 0 ? '' : formatShare(count, steps[index - 1]?.count ?? 0),
    formatShare(count, countStarts(attempts)),
    avg_time === null ? '' : formatDuration(avg_time),
  ]);
  return renderBars(
    out,
    numberColumns('step', 'users', 'of the last', 'of all', 'after'),
    rows,
    steps.map(({ count }) => count),
  );
}

/** Renders a line for each date or segment and a column for each step. */
function renderCounts(out: OutputStream, title: string, named: readonly (readonly [string, Attempts])[]): string[] {
  const steps = named[0]?.[1].steps ?? [];
  const rows = named.map(([name, attempts]) => [
    name,
    ...attempts.steps.map(({ count }) => formatInteger(count)),
    formatShare(attempts.steps.at(-1)?.count ?? 0, countStarts(attempts)),
  ]);
  const columns = numberColumns(title, ...steps.map((_, index) => `step ${index + 1}`), 'of all');
  return renderTitledTable(out, columns, rows);
}
