import { escapeUnprintable, formatInteger } from '../../../lang/util/strings.ts';
import { Chart, MAX_LINES } from '../../shared/chart.ts';
import type { ChartData, ChartLine } from '../../shared/chart-data.ts';
import { createElement } from '../../shared/dom.ts';
import { createBucketsTable, createScrollRegion, createTable, shareCells } from '../../shared/table.ts';
import type { AnswerView } from './answer-view.ts';

type Values = Readonly<Record<string, number>>;

/** Of all series, or of the one that a sum or an average is. */
type Answer =
  | { readonly data: { readonly series: readonly string[]; readonly values: Readonly<Record<string, Values>> } }
  | { readonly results: Readonly<Record<string, number | null>> };

/** Shows numbers over time: the greatest as lines, and all in tables. */
export class LinesView implements AnswerView {
  readonly root = createElement('div');
  private readonly chart = new Chart();

  /** `ordered` puts lines into the order in which tables have them. */
  constructor(private readonly ordered: (lines: readonly ChartLine[]) => readonly ChartLine[]) {}

  show(answer: unknown, asked: ReadonlyMap<string, string>): void {
    const { buckets, lines: found } = linesOf(answer as Answer, asked);
    const lines = this.ordered(found);
    if (lines.length === 0) {
      this.root.replaceChildren(createElement('p', { class: 'nothing' }, 'Nothing was found.'));
      return;
    }
    const title = `By ${asked.get('interval') === undefined ? (asked.get('unit') ?? 'day') : 'bucket'}`;
    const note = `The chart shows the ${MAX_LINES} greatest of ${formatInteger(lines.length)}.`;
    const hasTotals = lines.length > 1 && lines.every(({ total }) => total !== undefined);
    const numbers = createElement(
      'details',
      hasTotals ? {} : { open: '' },
      createElement('summary', {}, `${title} as a table`),
    );
    numbers.append(createScrollRegion(title, createBucketsTable(title, 'Time', { buckets, lines })));
    this.root.replaceChildren(
      this.chart.root,
      ...(lines.length > MAX_LINES ? [createElement('p', { class: 'hint' }, note)] : []),
      ...(hasTotals ? [createScrollRegion('Altogether', totalsTable(lines))] : []),
      numbers,
    );
    const label = `Line chart. The numbers are in the table “${title}” below.`;
    this.chart.draw({ buckets, lines: sortByTotal(lines) }, label);
  }
}

/** The greatest first: where names look like numbers, JSON does not keep their order. */
export function sortByTotal(lines: readonly ChartLine[]): readonly ChartLine[] {
  return [...lines].sort((a, b) => sum(b.values) - sum(a.values));
}

function linesOf(answer: Answer, asked: ReadonlyMap<string, string>): ChartData {
  if ('results' in answer) {
    const entries = Object.entries(answer.results).sort(([a], [b]) => (a < b ? -1 : 1));
    const line = { name: asked.get('event') ?? '', values: entries.map(([, value]) => value) };
    return { buckets: entries.map(([bucket]) => bucket), lines: [line] };
  }
  const buckets = [...answer.data.series].sort();
  const lines = Object.entries(answer.data.values).map(([name, found]): ChartLine => {
    const values = buckets.map((bucket) => found[bucket] ?? 0);
    // Users of several buckets may be the same.
    return { name, values, ...((asked.get('type') ?? 'general') === 'general' && { total: sum(values) }) };
  });
  return { buckets, lines };
}

function totalsTable(lines: readonly ChartLine[]): HTMLTableElement {
  const totals = lines.map(({ total = 0 }) => total);
  const rows = lines.map(({ name, total = 0 }) => {
    return createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, createElement('bdi', {}, escapeUnprintable(name))),
      createElement('td', { class: 'number' }, formatInteger(total)),
      ...shareCells(total, sum(totals), Math.max(...totals)),
    );
  });
  const columns = [
    { title: 'Name', kind: 'text' },
    { title: 'Events', kind: 'number' },
    { title: 'Share of these', kind: 'share' },
  ] as const;
  return createTable('Altogether', columns, rows);
}

function sum(numbers: readonly (number | null)[]): number {
  return numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
}
