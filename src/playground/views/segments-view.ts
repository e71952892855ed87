import { UNITS } from '../../segmentation/buckets.ts';
import type { SegmentationResult } from '../../segmentation/segmentation.ts';
import { formatInteger, pluralize } from '../../util/counted.ts';
import { escapeUnprintable } from '../../util/printable.ts';
import { bucketsTable } from '../../web/buckets-table.ts';
import { Chart, MOST_LINES } from '../../web/chart.ts';
import { element } from '../../web/dom.ts';
import type { Lines } from '../../web/lines.ts';
import { scrolling, shareCells, table } from '../../web/table.ts';
import type { Answer, Segments } from '../events/messages.ts';
import type { State } from '../state.ts';

type Settings = Pick<State, 'unit' | 'unique'>;

const MEASURES = ['events', 'users'] as const;

/** Shows the segments: over time as a chart, and altogether as a table. */
export class SegmentsView {
  private readonly unit: HTMLSelectElement;
  private readonly measure: HTMLSelectElement;
  private readonly chart = new Chart();
  private readonly notes = element('div');
  private readonly totals = scrolling('Segments');
  private readonly overTime = element('details');
  private readonly found = element('div', {}, this.chart.root, this.totals, this.notes, this.overTime);
  private readonly nothing = element('p', { class: 'nothing' });

  constructor(panel: HTMLElement, changed: (settings: Partial<Settings>) => void) {
    this.unit = select('unit', UNITS, (unit) => changed({ unit }));
    this.measure = select('measure', MEASURES, (measure) => changed({ unique: measure === 'users' }));
    const controls = element(
      'p',
      { class: 'controls' },
      element('span', {}, element('label', { for: 'measure' }, 'Count'), this.measure),
      element('span', {}, element('label', { for: 'unit' }, 'per'), this.unit),
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
  show(answer: Answer): void {
    const { segments, query } = answer;
    if (segments === undefined || segments.totals.segments.length === 0) {
      this.nothing.textContent = whyNothing(answer);
    } else {
      this.nothing.textContent = '';
      this.showOverTime(segments.overTime, query);
      this.totals.replaceChildren(totalsTable(segments, answer));
      this.notes.replaceChildren(...notes(segments).map((note) => element('p', { class: 'hint' }, note)));
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
    const numbers = scrolling(title, bucketsTable(title, unit, lines));
    this.overTime.replaceChildren(element('summary', {}, `${title} as a table`), numbers);
  }
}

function select<Choice extends string>(
  id: string,
  choices: readonly Choice[],
  chosen: (choice: Choice) => void,
): HTMLSelectElement {
  const made = element('select', { id }, ...choices.map((choice) => element('option', { value: choice }, choice)));
  made.addEventListener('change', () => {
    const choice = choices[made.selectedIndex];
    if (choice !== undefined) chosen(choice);
  });
  return made;
}

function whyNothing({ query, failure, matching }: Answer): string {
  if (failure !== undefined) return 'The query failed, so there are no segments.';
  if (query.on.trim() === '') return 'Write an expression under “Segment by” to see segments.';
  return matching === 0 ? 'No event matches.' : 'The matching events are in no segment.';
}

function totalsTable({ totals, events, users }: Segments, answer: Answer): HTMLTableElement {
  const { unique } = answer.query;
  const measure = unique ? 'users' : 'events';
  const [counts, whole] = unique ? [users, answer.users] : [events, answer.matching];
  const greatest = totals.segments[0]?.count ?? 0;
  const rows = totals.segments.map(({ name }) => {
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, element('bdi', {}, escapeUnprintable(name))),
      element('td', { class: 'number' }, formatInteger(events.get(name) ?? 0)),
      element('td', { class: 'number' }, formatInteger(users.get(name) ?? 0)),
      ...shareCells(counts.get(name) ?? 0, whole, greatest),
    );
  });
  const columns = [
    { title: 'Segment', kind: 'text' },
    { title: 'Events', kind: 'number' },
    { title: 'Users', kind: 'number' },
    { title: `Share of ${measure}`, kind: 'share' },
  ] as const;
  return table(`Segments by ${measure}, the greatest first`, columns, rows);
}

function linesOf({ segments, series }: SegmentationResult): Lines {
  const lines = segments.map(({ name, count, values }) => {
    return { name, total: count, values: series.map((bucket) => values.get(bucket) ?? 0) };
  });
  return { buckets: series, lines };
}

function notes({ totals, overTime, lacking }: Segments): string[] {
  const more = totals.rest.segments;
  const lines = overTime.segments.length + overTime.rest.segments;
  return [
    ...(more > 0 ? [`And ${pluralize(more, 'more segment')}.`] : []),
    ...(lines > MOST_LINES ? [`The chart shows the ${MOST_LINES} greatest of ${formatInteger(lines)} segments.`] : []),
    ...(lacking.time > 0 ? [`Not in the chart: ${pluralize(lacking.time, 'event')} without a time.`] : []),
    ...(lacking.distinct_id > 0
      ? [`Not among the users: ${pluralize(lacking.distinct_id, 'event')} without a distinct_id.`]
      : []),
  ];
}
