import { UNITS } from '../../../data/buckets.ts';
import type { SegmentationResult } from '../../../data/segmentation.ts';
import { escapeUnprintable, formatInteger, pluralize } from '../../../lang/util/strings.ts';
import { Chart, MAX_LINES } from '../../shared/chart.ts';
import type { ChartData } from '../../shared/chart-data.ts';
import { createElement } from '../../shared/dom.ts';
import { createBucketsTable, createScrollRegion, createTable, shareCells } from '../../shared/table.ts';
import type { EventsAnswer, SegmentsAnswer } from '../events/messages.ts';
import type { PlaygroundState } from '../state.ts';

type Settings = Pick<PlaygroundState, 'unit' | 'unique'>;

const MEASURES = ['events', 'users'] as const;

/** Shows the segments: over time as a chart, and altogether as a table. */
export class SegmentsView {
  private readonly unit: HTMLSelectElement;
  private readonly measure: HTMLSelectElement;
  private readonly chart = new Chart();
  private readonly notes = createElement('div');
  private readonly totals = createScrollRegion('Segments');
  private readonly overTime = createElement('details');
  private readonly found = createElement('div', {}, this.chart.root, this.totals, this.notes, this.overTime);
  private readonly nothing = createElement('p', { class: 'nothing' });

  constructor(panel: HTMLElement, changed: (settings: Partial<Settings>) => void) {
    this.unit = select('unit', UNITS, (unit) => changed({ unit }));
    this.measure = select('measure', MEASURES, (measure) => changed({ unique: measure === 'users' }));
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

  /** Shows the segments of an answer, or why there are none. */
  show(answer: EventsAnswer): void {
    const { segments, query } = answer;
    if (segments === undefined || segments.totals.segments.length === 0) {
      this.nothing.textContent = whyNothing(answer);
    } else {
      this.nothing.textContent = '';
      this.showOverTime(segments.overTime, query);
      this.totals.replaceChildren(totalsTable(segments, answer));
      this.notes.replaceChildren(...notes(segments).map((note) => createElement('p', { class: 'hint' }, note)));
    }
    this.found.hidden = this.nothing.textContent !== '';
  }

  private showOverTime(overTime: SegmentationResult, { unit, unique }: Settings): void {
    const hasTime = overTime.series.length > 0;
    this.chart.root.hidden = !hasTime;
    this.overTime.hidden = !hasTime;
    if (!hasTime) return;
    const title = `${unique ? 'Users' : 'Events'} by ${unit}`;
    // What is drawn has to be seen to be measured.
    this.found.hidden = false;
    const lines = linesOf(overTime);
    this.chart.draw(lines, `Line chart: ${title.toLowerCase()}. The numbers are in the table “${title}” below.`);
    const numbers = createScrollRegion(title, createBucketsTable(title, unit, lines));
    this.overTime.replaceChildren(createElement('summary', {}, `${title} as a table`), numbers);
  }
}

function select<Choice extends string>(
  id: string,
  choices: readonly Choice[],
  chosen: (choice: Choice) => void,
): HTMLSelectElement {
  const made = createElement(
    'select',
    { id },
    ...choices.map((choice) => createElement('option', { value: choice }, choice)),
  );
  made.addEventListener('change', () => {
    const choice = choices[made.selectedIndex];
    if (choice !== undefined) chosen(choice);
  });
  return made;
}

function whyNothing({ query, failure, matching }: EventsAnswer): string {
  if (failure !== undefined) return 'The query failed, so there are no segments.';
  if (query.on.trim() === '') return 'Write an expression under “Segment by” to see segments.';
  return matching === 0 ? 'No event matches.' : 'The matching events are in no segment.';
}

function totalsTable({ totals, events, users }: SegmentsAnswer, answer: EventsAnswer): HTMLTableElement {
  const { unique } = answer.query;
  const measure = unique ? 'users' : 'events';
  const [counts, whole] = unique ? [users, answer.users] : [events, answer.matching];
  const greatest = totals.segments[0]?.count ?? 0;
  const rows = totals.segments.map(({ name }) => {
    return createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, createElement('bdi', {}, escapeUnprintable(name))),
      createElement('td', { class: 'number' }, formatInteger(events.get(name) ?? 0)),
      createElement('td', { class: 'number' }, formatInteger(users.get(name) ?? 0)),
      ...shareCells(counts.get(name) ?? 0, whole, greatest),
    );
  });
  const columns = [
    { title: 'Segment', kind: 'text' },
    { title: 'Events', kind: 'number' },
    { title: 'Users', kind: 'number' },
    { title: `Share of ${measure}`, kind: 'share' },
  ] as const;
  return createTable(`Segments by ${measure}, the greatest first`, columns, rows);
}

function linesOf({ segments, series }: SegmentationResult): ChartData {
  const lines = segments.map(({ name, count, values }) => {
    return { name, total: count, values: series.map((bucket) => values.get(bucket) ?? 0) };
  });
  return { buckets: series, lines };
}

function notes({ totals, overTime, lacking }: SegmentsAnswer): string[] {
  const more = totals.rest.segments;
  const lines = overTime.segments.length + overTime.rest.segments;
  return [
    ...(more > 0 ? [`And ${pluralize(more, 'more segment')}.`] : []),
    ...(lines > MAX_LINES ? [`The chart shows the ${MAX_LINES} greatest of ${formatInteger(lines)} segments.`] : []),
    ...(lacking.time > 0 ? [`Not in the chart: ${pluralize(lacking.time, 'event')} without a time.`] : []),
    ...(lacking.distinct_id > 0
      ? [`Not among the users: ${pluralize(lacking.distinct_id, 'event')} without a distinct_id.`]
      : []),
  ];
}
