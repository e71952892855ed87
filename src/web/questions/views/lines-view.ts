import { formatInteger } from '../../../base/strings.ts';
import { createElement } from '../../../editor/dom.ts';
import type { ChartAnnotation } from '../../answers/answer.ts';
import { Chart, MAX_LINES } from '../../shared/chart.ts';
import type { ChartLine } from '../../shared/chart-data.ts';
import { readGroupedProperty } from '../../shared/segment-condition.ts';
import {
  createBucketsTable,
  createScrollRegion,
  createSegmentRow,
  createShareCells,
  createTable,
  type OnChooseSegment,
} from '../../shared/table.ts';
import { AnnotationsView, type OnAnnotate } from './annotations-view.ts';
import { readChartData, type SeriesResult } from './read-chart-data.ts';
import type { ResultView } from './result-view.ts';

/** Shows numbers over time: the top lines in a chart, and all of them in tables. */
export class LinesView implements ResultView {
  readonly root = createElement('div');
  private readonly chart: Chart;
  private buckets: readonly string[] = [];
  private readonly annotations: AnnotationsView;

  /** @param sort Sorts the lines of the tables. */
  constructor(
    private readonly sort: (lines: readonly ChartLine[]) => readonly ChartLine[],
    private readonly onZoom: OnZoom,
    private readonly onChoose?: OnChooseSegment,
    onAnnotate: OnAnnotate = () => undefined,
  ) {
    this.annotations = new AnnotationsView(onAnnotate);
    this.chart = new Chart((first, last) => this.zoom(first, last));
  }

  show(result: unknown, parameters: ReadonlyMap<string, string>, annotations?: readonly ChartAnnotation[]): void {
    const data = readChartData(result as SeriesResult, parameters);
    const { buckets } = data;
    this.buckets = buckets;
    const lines = this.sort(data.lines);
    if (lines.length === 0) {
      this.root.replaceChildren(createElement('p', { class: 'nothing' }, 'No data for this query.'));
      return;
    }
    const isProperty = readGroupedProperty(parameters.get('on') ?? '') !== undefined;
    const choosable = isProperty ? this.onChoose : undefined;
    const title = `By ${parameters.get('interval') === undefined ? (parameters.get('unit') ?? 'day') : 'bucket'}`;
    const note = `The chart shows the top ${MAX_LINES} of ${formatInteger(lines.length)}.`;
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
      ...(annotations === undefined ? [] : [this.annotations.root]),
      ...(hasTotals ? [createScrollRegion('Totals', createTotalsTable(lines, choosable))] : []),
      numbers,
    );
    const label = `Line chart. The numbers are in the table “${title}” below.`;
    this.annotations.show(annotations ?? [], buckets[0]?.slice(0, 10) ?? '');
    const marks = annotations?.map(({ date }) => date);
    this.chart.draw({ buckets, lines: sortByTotal(lines) }, label, { marks, onChoose: choosable });
  }

  private zoom(first: number, last: number): void {
    const [from, lastBucket, next] = [first, last, last + 1].map((index) => this.buckets[index]?.slice(0, 10));
    if (from === undefined) return;
    // The next hour is often on the same day.
    this.onZoom(from, next === lastBucket ? next : next && dayBefore(next));
  }
}

/** Called with the days that someone has chosen in a chart; the last is undefined if the chart ends there. */
export type OnZoom = (from: string, to: string | undefined) => void;

/** Sorts lines by total, largest first. JSON objects do not keep the order of names that look like integers. */
export function sortByTotal(lines: readonly ChartLine[]): readonly ChartLine[] {
  return [...lines].sort((a, b) => sum(b.values) - sum(a.values));
}

function createTotalsTable(lines: readonly ChartLine[], onChoose: OnChooseSegment | undefined): HTMLTableElement {
  const totals = lines.map(({ total = 0 }) => total);
  const rows = lines.map(({ name, total = 0 }) => {
    const cell = createElement('td', { class: 'number' }, formatInteger(total));
    return createSegmentRow(name, [cell], createShareCells(total, sum(totals), Math.max(...totals)), onChoose);
  });
  const columns = [
    { title: 'Name', kind: 'text' },
    { title: 'Total', kind: 'number' },
    { title: 'Share', kind: 'share' },
  ] as const;
  return createTable('Totals', columns, rows);
}

function sum(numbers: readonly (number | null)[]): number {
  return numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
}

/** Returns the day before a day, `yyyy-mm-dd`. */
function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}
