import { formatInteger, pluralize } from '../../../base/strings.ts';
import { UNITS } from '../../../data/buckets.ts';
import type { SegmentationResult } from '../../../data/segmentation.ts';
import { createElement } from '../../../editor/dom.ts';
import type { EventsResult, SegmentsResult } from '../../events/messages.ts';
import { Chart, MAX_LINES } from '../../shared/chart.ts';
import type { ChartData } from '../../shared/chart-data.ts';
import { readGroupedProperty } from '../../shared/segment-condition.ts';
import {
  createBucketsTable,
  createScrollRegion,
  createSegmentRow,
  createShareCells,
  createTable,
  type OnChooseSegment,
} from '../../shared/table.ts';
import type { ExplorerState } from '../state.ts';

type Settings = Pick<ExplorerState, 'unit' | 'unique'>;

const MEASURES = ['events', 'users'] as const;

/** Shows the segments: over time in a chart, and their totals in a table. */
export class SegmentsView {
  private readonly unit: HTMLSelectElement;
  private readonly measure: HTMLSelectElement;
  private readonly chart = new Chart();
  private readonly notes = createElement('div');
  private readonly totals = createScrollRegion('Segments');
  private readonly overTime = createElement('details');
  private readonly found = createElement('div', {}, this.chart.root, this.totals, this.notes, this.overTime);
  private readonly nothing = createElement('p', { class: 'nothing' });

  constructor(
    panel: HTMLElement,
    onChange: (settings: Partial<Settings>) => void,
    private readonly onChoose: OnChooseSegment,
  ) {
    this.unit = createSelect('unit', UNITS, (unit) => onChange({ unit }));
    this.measure = createSelect('measure', MEASURES, (measure) => onChange({ unique: measure === 'users' }));
    const controls = createElement(
      'p',
      { class: 'controls' },
      createElement('span', {}, createElement('label', { for: 'measure' }, 'Count'), this.measure),
      createElement('span', {}, createElement('label', { for: 'unit' }, 'per'), this.unit),
    );
    this.found.hidden = true;
    panel.append(controls, this.nothing, this.found);
  }

  /** Sets the controls. */
  set({ unit, unique }: Settings): void {
    this.unit.value = unit;
    this.measure.value = unique ? 'users' : 'events';
  }

  /** Shows the segments of a result, or why there are none. */
  show(result: EventsResult): void {
    const { segments, query } = result;
    if (segments === undefined || segments.totals.segments.length === 0) {
      this.nothing.textContent = explainNothing(result);
    } else {
      this.nothing.textContent = '';
      const onChoose = readGroupedProperty(query.on) === undefined ? undefined : this.onChoose;
      this.showOverTime(segments.overTime, query, onChoose);
      this.totals.replaceChildren(createTotalsTable(segments, result, onChoose));
      this.notes.replaceChildren(...createNotes(segments).map((note) => createElement('p', { class: 'hint' }, note)));
    }
    this.found.hidden = this.nothing.textContent !== '';
  }

  private showOverTime(overTime: SegmentationResult, { unit, unique }: Settings, onChoose?: OnChooseSegment): void {
    const hasTime = overTime.series.length > 0;
    this.chart.root.hidden = !hasTime;
    this.overTime.hidden = !hasTime;
    if (!hasTime) return;
    const title = `${unique ? 'Users' : 'Events'} by ${unit}`;
    // Charts measure their size when they are drawn, so they must be visible.
    this.found.hidden = false;
    const lines = toChartData(overTime);
    const label = `Line chart: ${title.toLowerCase()}. The numbers are in the table “${title}” below.`;
    this.chart.draw(lines, label, { onChoose });
    const numbers = createScrollRegion(title, createBucketsTable(title, unit, lines));
    this.overTime.replaceChildren(createElement('summary', {}, `${title} as a table`), numbers);
  }
}

function createSelect<Choice extends string>(
  id: string,
  choices: readonly Choice[],
  onChange: (choice: Choice) => void,
): HTMLSelectElement {
  const element = createElement(
    'select',
    { id },
    ...choices.map((choice) => createElement('option', { value: choice }, choice)),
  );
  element.addEventListener('change', () => {
    const choice = choices[element.selectedIndex];
    if (choice !== undefined) onChange(choice);
  });
  return element;
}

function explainNothing({ query, failure, matching }: EventsResult): string {
  if (failure !== undefined) return 'The query failed, so there are no segments.';
  if (query.on.trim() === '') return 'Enter an expression under “Group by” to see segments.';
  return matching === 0 ? 'No event matches.' : 'No matching event is in a segment.';
}

function createTotalsTable(
  { totals, events, users }: SegmentsResult,
  result: EventsResult,
  onChoose: OnChooseSegment | undefined,
): HTMLTableElement {
  const { unique } = result.query;
  const measure = unique ? 'users' : 'events';
  const [counts, whole] = unique ? [users, result.users] : [events, result.matching];
  const max = totals.segments[0]?.count ?? 0;
  const rows = totals.segments.map(({ name }) => {
    const cells = [events, users].map((of) =>
      createElement('td', { class: 'number' }, formatInteger(of.get(name) ?? 0)),
    );
    return createSegmentRow(name, cells, createShareCells(counts.get(name) ?? 0, whole, max), onChoose);
  });
  const columns = [
    { title: 'Segment', kind: 'text' },
    { title: 'Events', kind: 'number' },
    { title: 'Users', kind: 'number' },
    { title: `Share of ${measure}`, kind: 'share' },
  ] as const;
  return createTable(`Segments by ${measure}, largest first`, columns, rows);
}

function toChartData({ segments, series }: SegmentationResult): ChartData {
  const lines = segments.map(({ name, count, values }) => {
    return { name, total: count, values: series.map((bucket) => values.get(bucket) ?? 0) };
  });
  return { buckets: series, lines };
}

function createNotes({ totals, overTime, missing }: SegmentsResult): string[] {
  const more = totals.rest.segments;
  const lines = overTime.segments.length + overTime.rest.segments;
  return [
    ...(more > 0 ? [`${pluralize(more, 'more segment')} not shown.`] : []),
    ...(lines > MAX_LINES ? [`The chart shows the top ${MAX_LINES} of ${formatInteger(lines)} segments.`] : []),
    ...(missing.time > 0 ? [`Not in the chart: ${pluralize(missing.time, 'event')} without a time.`] : []),
    ...(missing.distinct_id > 0
      ? [`Not counted as users: ${pluralize(missing.distinct_id, 'event')} without a distinct_id.`]
      : []),
  ];
}
