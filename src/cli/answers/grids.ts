import { formatInteger, measureWidth, pluralize } from '../../lang/util/strings.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { renderTable, type TerminalColumn } from '../terminal/table.ts';
import { formatPercent } from './figures.ts';

/** Users of a date, and how many of them were counted in each column. */
interface Cohort {
  readonly first: number;
  readonly counts: readonly number[];
}

/** What a query answers by date and, with `on`, by segment. */
type ByDate<Value> = Readonly<Record<string, Value | Readonly<Record<string, Value>>>>;

/** An answer of `/retention/`. */
export type RetentionAnswer = ByDate<Cohort>;

/** An answer of `/retention/addiction/`. */
export type AddictionAnswer = ByDate<readonly number[]>;

/** A percentage, and what is between columns. */
const CELL = 6;

/** A line for each cohort, with the share of it that came back in each interval. */
export function renderRetention(out: OutputStream, answer: RetentionAnswer): string[] {
  const isCohort = (found: object): found is Cohort => 'counts' in found && Array.isArray(found.counts);
  const rows = rowsOf(answer, isCohort, (cohort) => cohort);
  return gridLines(out, rows, 0, 'interval');
}

/** A line for each period, with the share of its users that were active in at least so many units. */
export function renderAddiction(out: OutputStream, answer: AddictionAnswer): string[] {
  const isCounts = (found: object): found is readonly number[] => Array.isArray(found);
  const rows = rowsOf(answer, isCounts, (counts) => ({ first: counts[0] ?? 0, counts }));
  return gridLines(out, rows, 1, 'number');
}

interface Row extends Cohort {
  /** A date and, with `on`, a segment. */
  readonly names: readonly string[];
}

function rowsOf<Value extends object>(
  answer: ByDate<Value>,
  isValue: (found: object) => found is Value,
  cohortOf: (value: Value) => Cohort,
): Row[] {
  return Object.entries(answer).flatMap(([date, found]): Row[] => {
    if (isValue(found)) return [{ names: [date], ...cohortOf(found) }];
    return Object.entries(found).map(([segment, value]) => ({ names: [date, segment], ...cohortOf(value) }));
  });
}

/** As many columns as fit, numbered from the first on. */
function gridLines(out: OutputStream, rows: readonly Row[], from: number, numbered: string): string[] {
  if (rows.length === 0) return ['No users.'];
  const heads = rows.map(({ names, first }) => [...names, formatInteger(first)]);
  const texts = ['', 'segment']
    .slice(0, rows[0]?.names.length)
    .map((title): TerminalColumn => ({ title, align: 'left' }));
  const headColumns = [...texts, ...numbers(['users'])];
  const widest = renderTable(headColumns, heads).reduce((width, line) => Math.max(width, measureWidth(line)), 0);
  const count = rows.reduce((most, { counts }) => Math.max(most, counts.length), 0);
  const shown = Math.min(count, Math.max(1, Math.floor((out.columns - widest) / CELL)));
  const columns = [...headColumns, ...numbers(Array.from({ length: shown }, (_, index) => String(index + from)))];
  const cells = rows.map(({ first, counts }, index) => [
    ...(heads[index] ?? []),
    ...counts.slice(0, shown).map((users) => (first === 0 ? '' : formatPercent(users / first))),
  ]);
  const [title = '', ...lines] = renderTable(columns, cells);
  const more = count > shown ? [`… and ${pluralize(count - shown, `more ${numbered}`)} (--json)`] : [];
  return [out.styled('bold', title), ...lines, ...more];
}

function numbers(titles: readonly string[]): TerminalColumn[] {
  return titles.map((title) => ({ title, align: 'right' }));
}
