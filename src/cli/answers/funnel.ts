import { formatInteger } from '../../lang/util/strings.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { numberColumns, renderBars, renderTable } from '../terminal/table.ts';
import { formatDuration, formatPercent } from './figures.ts';

interface Step {
  readonly event: string;
  readonly count: number;
  /** Seconds; null where there are none. */
  readonly avg_time: number | null;
}

/** What happened to those who began on a date. */
interface Attempts {
  readonly steps: readonly Step[];
}

/** An answer of `/funnels/`. With `on`, each date has an object for all and for each segment. */
export interface FunnelAnswer {
  readonly meta: { readonly dates: readonly string[] };
  readonly data: Readonly<Record<string, Attempts | Readonly<Record<string, Attempts>>>>;
}

/** How those who are in every segment are called. */
const OVERALL = '$overall';

/** How many come as far as each step, over all dates; then by date, and by segment where there are some. */
export function renderFunnel(out: OutputStream, { meta: { dates }, data }: FunnelAnswer): string[] {
  const byDate = dates.map((date) => new Map(namedIn(data[date] ?? {})));
  const all = (name: string) => added(byDate.map((named) => named.get(name) ?? { steps: [] }));
  const overall = byDate.map((named, index) => [dates[index] ?? '', named.get(OVERALL) ?? { steps: [] }] as const);
  const names = [...new Set(byDate.flatMap((named) => [...named.keys()]))].filter((name) => name !== OVERALL);
  const segments = names.map((name) => [name, all(name)] as const);
  const greatestFirst = segments.toSorted(([, left], [, right]) => startsOf(right) - startsOf(left));
  return [
    ...stepLines(out, all(OVERALL)),
    ...(dates.length > 1 ? ['', ...countLines(out, '', overall)] : []),
    ...(segments.length > 0 ? ['', ...countLines(out, 'segment', greatestFirst)] : []),
  ];
}

function namedIn(found: FunnelAnswer['data'][string]): [string, Attempts][] {
  return isAttempts(found) ? [[OVERALL, found]] : Object.entries(found);
}

function isAttempts(found: object): found is Attempts {
  return 'steps' in found && Array.isArray(found.steps);
}

/** The steps of several dates as those of one. */
function added(all: readonly Attempts[]): Attempts {
  const known = all.find(({ steps }) => steps.length > 0) ?? { steps: [] };
  const steps = known.steps.map(({ event }, index): Step => {
    const same = all.flatMap((one) => one.steps[index] ?? []);
    const count = same.reduce((sum, step) => sum + step.count, 0);
    const seconds = same.reduce((sum, step) => sum + (step.avg_time ?? 0) * step.count, 0);
    return { event, count, avg_time: index === 0 || count === 0 ? null : seconds / count };
  });
  return { steps };
}

function startsOf({ steps }: Attempts): number {
  return steps[0]?.count ?? 0;
}

/** Those of a step as a share of others: of none, none. */
function share(count: number, of: number): string {
  return of === 0 ? '' : formatPercent(count / of);
}

function stepLines(out: OutputStream, attempts: Attempts): string[] {
  const { steps } = attempts;
  const rows = steps.map(({ event, count, avg_time }, index) => [
    `${index + 1} ${event}`,
    formatInteger(count),
    index === 0 ? '' : share(count, steps[index - 1]?.count ?? 0),
    share(count, startsOf(attempts)),
    avg_time === null ? '' : formatDuration(avg_time),
  ]);
  return renderBars(
    out,
    numberColumns('step', 'users', 'of the last', 'of all', 'after'),
    rows,
    steps.map(({ count }) => count),
  );
}

/** A line for each date or segment, a column for each step. */
function countLines(out: OutputStream, title: string, named: readonly (readonly [string, Attempts])[]): string[] {
  const steps = named[0]?.[1].steps ?? [];
  const rows = named.map(([name, attempts]) => [
    name,
    ...attempts.steps.map(({ count }) => formatInteger(count)),
    share(attempts.steps.at(-1)?.count ?? 0, startsOf(attempts)),
  ]);
  const [head = '', ...lines] = renderTable(
    numberColumns(title, ...steps.map((_, index) => `step ${index + 1}`), 'of all'),
    rows,
  );
  return [out.styled('bold', head), ...lines];
}
