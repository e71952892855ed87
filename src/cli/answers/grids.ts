import { formatInteger, measureWidth, pluralize } from '../../base/strings.ts';
import { countReached } from '../../queries/count-reached.ts';
import { getIntervalState } from '../../queries/interval-state.ts';
import type { Bucket } from '../../queries/requests.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { renderTable, renderTitledTable, type TerminalColumn } from '../terminal/table.ts';
import { formatPercent } from './figures.ts';

/** The users of a date, and how many of them were counted in each column. */
interface Cohort {
  readonly first: number;
  readonly counts: readonly number[];
}

/** Results by date and, with `on`, by segment. */
type ByDate<Value> = Readonly<Record<string, Value | Readonly<Record<string, Value>>>>;

/** A response of `/retention/`. */
export type RetentionAnswer = ByDate<Cohort>;

/** A response of `/retention/addiction/`. */
export type AddictionAnswer = ByDate<readonly number[]>;

/** The width of a percentage and the gap between columns. */
const CELL = 6;

/** The mark of an interval that has not ended. */
const RUNNING = '*';

/** The length of the intervals of cohorts, and the local date of the present, `yyyy-mm-dd`. */
export interface RetentionIntervals {
  readonly bucket: Bucket;
  readonly today: string;
}

/**
 * Renders a line for each cohort with the percentage that returned in each interval. Intervals that have not begun are
 * blank, and one that has not ended is marked.
 */
export function renderRetention(out: OutputStream, answer: RetentionAnswer, intervals: RetentionIntervals): string[] {
  const isCohort = (found: object): found is Cohort => 'counts' in found && Array.isArray(found.counts);
  const rows = toRows(answer, isCohort, (cohort) => cohort);
  const { bucket, today } = intervals;
  let isRunning = false;
  const format = (percent: string, { names: [date = ''] }: Row, index: number) => {
    const state = getIntervalState(date, bucket, index, today);
    if (state === 'future') return '';
    if (state === 'over') return percent;
    isRunning = true;
    return percent + RUNNING;
  };
  const count = rows.reduce((most, { counts }) => Math.max(most, counts.length), 0);
  const describeMore = (more: number) => `${pluralize(more, 'more interval')} (--interval-count ${count - 1} --json)`;
  const lines = renderGrid(out, rows, { from: 0, count, describeMore, format });
  return isRunning ? [...lines, `${RUNNING} not over on ${today}`] : lines;
}

/**
 * Renders a line for each period with the percentage of users active in at least 1, 2, 3 … units, as many as anybody
 * reaches.
 */
export function renderAddiction(out: OutputStream, answer: AddictionAnswer): string[] {
  const isCounts = (found: object): found is readonly number[] => Array.isArray(found);
  const rows = toRows(answer, isCounts, (counts) => ({ first: counts[0] ?? 0, counts }));
  const count = countReached(rows.map(({ counts }) => counts));
  return renderGrid(out, rows, {
    from: 1,
    count,
    describeMore: (more) => `${pluralize(more, 'more number')} (--json)`,
  });
}

interface Row extends Cohort {
  /** A date and, with `on`, a segment. */
  readonly names: readonly string[];
}

function toRows<Value extends object>(
  answer: ByDate<Value>,
  isValue: (found: object) => found is Value,
  toCohort: (value: Value) => Cohort,
): Row[] {
  return Object.entries(answer).flatMap(([date, found]): Row[] => {
    if (isValue(found)) return [{ names: [date], ...toCohort(found) }];
    return Object.entries(found).map(([segment, value]) => ({ names: [date, segment], ...toCohort(value) }));
  });
}

/** The columns of numbers of a grid. */
interface GridColumns {
  /** The title of the first. */
  readonly from: number;
  readonly count: number;
  /** Says how many do not fit, and how to see them. */
  describeMore(count: number): string;
  /** Formats a percentage; by default, it is shown unchanged. */
  format?(percent: string, row: Row, index: number): string;
}

/** Renders as many columns as fit. */
function renderGrid(
  out: OutputStream,
  rows: readonly Row[],
  { from, count, describeMore, format = (percent) => percent }: GridColumns,
): string[] {
  if (rows.length === 0) return ['No users.'];
  const heads = rows.map(({ names, first }) => [...names, formatInteger(first)]);
  const texts = ['', 'segment']
    .slice(0, rows[0]?.names.length)
    .map((title): TerminalColumn => ({ title, align: 'left' }));
  const headColumns = [...texts, ...toNumberColumns(['users'])];
  const widest = renderTable(headColumns, heads).reduce((width, line) => Math.max(width, measureWidth(line)), 0);
  const shown = Math.min(count, Math.max(1, Math.floor((out.columns - widest) / CELL)));
  const columns = [
    ...headColumns,
    ...toNumberColumns(Array.from({ length: shown }, (_, index) => String(index + from))),
  ];
  const cells = rows.map((row, index) => [
    ...(heads[index] ?? []),
    ...row.counts
      .slice(0, shown)
      .map((users, column) => (row.first === 0 ? '' : format(formatPercent(users / row.first), row, column))),
  ]);
  const more = count > shown ? [`… and ${describeMore(count - shown)}`] : [];
  return [...renderTitledTable(out, columns, cells), ...more];
}

function toNumberColumns(titles: readonly string[]): TerminalColumn[] {
  return titles.map((title) => ({ title, align: 'right' }));
}
