import { escapeUnprintable, formatInteger } from '../../../base/strings.ts';
import { createElement } from '../../../editor/dom.ts';
import { formatShare } from '../../shared/page-link.ts';
import { createScrollRegion, createShareCells, createTable } from '../../shared/table.ts';
import { Chooser } from './chooser.ts';
import type { ResultView } from './result-view.ts';

interface Step {
  readonly event: string;
  readonly count: number;
  readonly avg_time: number | null;
}

interface FunnelOfDate {
  readonly steps: readonly Step[];
}

interface Result {
  readonly meta: { readonly dates: readonly string[] };
  /** By date; with `on`, by date and then by segment. */
  readonly data: Readonly<Record<string, FunnelOfDate | Readonly<Record<string, FunnelOfDate>>>>;
}

const ALL = 'all dates';

/** Shows how many users reach each step, for all dates or one, and for each segment. */
export class FunnelView implements ResultView {
  readonly root = createElement('div');
  private readonly date = new Chooser('Date', () => this.draw());
  private readonly segment = new Chooser('Segment', () => this.draw());
  private readonly container = createScrollRegion('Funnel');
  /** By segment, then by date. */
  private funnels: ReadonlyMap<string, ReadonlyMap<string, FunnelOfDate>> = new Map();

  constructor() {
    const controls = createElement('p', { class: 'controls' }, this.date.root, this.segment.root);
    this.root.append(controls, this.container);
  }

  show(result: unknown, parameters: ReadonlyMap<string, string>): void {
    const { meta, data } = result as Result;
    const funnels = new Map<string, Map<string, FunnelOfDate>>();
    for (const date of meta.dates) {
      const found = data[date] ?? { steps: [] };
      const segments = parameters.has('on')
        ? (found as Record<string, FunnelOfDate>)
        : { $overall: found as FunnelOfDate };
      for (const [name, funnel] of Object.entries(segments))
        funnels.set(name, (funnels.get(name) ?? new Map()).set(date, funnel));
    }
    this.funnels = funnels;
    this.date.setChoices([ALL, ...meta.dates]);
    this.segment.setChoices([...funnels.keys()]);
    this.draw();
  }

  private draw(): void {
    const dates = this.funnels.get(this.segment.value) ?? new Map<string, FunnelOfDate>();
    const date = this.date.value;
    const steps = mergeFunnels(date === ALL ? [...dates.values()] : [dates.get(date) ?? { steps: [] }]);
    this.container.replaceChildren(createTable('Users at each step', COLUMNS, createRows(steps)));
  }
}

/** Merges the funnels of several dates into one. */
function mergeFunnels(funnels: readonly FunnelOfDate[]): Step[] {
  const [first] = funnels;
  return (first?.steps ?? []).map(({ event }, at) => {
    const steps = funnels.flatMap(({ steps }) => steps[at] ?? []);
    const count = steps.reduce((total, step) => total + step.count, 0);
    const time = steps.reduce((total, { count, avg_time }) => total + count * (avg_time ?? 0), 0);
    return { event, count, avg_time: at === 0 || count === 0 ? null : time / count };
  });
}

const COLUMNS = [
  { title: 'Step', kind: 'text' },
  { title: 'Users', kind: 'number' },
  { title: 'Overall conversion', kind: 'share' },
  { title: 'Step conversion', kind: 'number' },
  { title: 'Average time since previous', kind: 'number' },
] as const;

function createRows(steps: readonly Step[]): HTMLElement[] {
  const first = steps[0]?.count ?? 0;
  return steps.map(({ event, count, avg_time }, at) => {
    const before = steps[at - 1]?.count;
    return createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, `${at + 1}. `, createElement('bdi', {}, escapeUnprintable(event))),
      createElement('td', { class: 'number' }, formatInteger(count)),
      ...createShareCells(count, first, first),
      createElement('td', { class: 'number' }, before === undefined ? '' : formatShare(count, before)),
      createElement('td', { class: 'number' }, avg_time === null ? '' : formatDuration(avg_time)),
    );
  });
}

/** Formats a duration in its two largest units: `3 h 20 min`. */
function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const at = UNITS.findIndex(([, size]) => size <= whole);
  const [[name, size], [smallName, smallSize] = ['', 1]] = UNITS.slice(at) as [Unit, Unit?];
  const rest = Math.floor((whole % size) / smallSize);
  return `${Math.floor(whole / size)} ${name}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

type Unit = readonly [name: string, seconds: number];

const UNITS: readonly Unit[] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];
