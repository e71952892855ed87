import { escapeUnprintable, formatInteger } from '../../../lang/util/strings.ts';
import { createElement } from '../../shared/dom.ts';
import { share } from '../../shared/page-link.ts';
import { createScrollRegion, createTable, shareCells } from '../../shared/table.ts';
import type { AnswerView } from './answer-view.ts';
import { Chooser } from './chooser.ts';

interface Step {
  readonly event: string;
  readonly count: number;
  readonly avg_time: number | null;
}

interface FunnelOfDate {
  readonly steps: readonly Step[];
}

interface Answer {
  readonly meta: { readonly dates: readonly string[] };
  /** With segments, an object of these for each date. */
  readonly data: Readonly<Record<string, FunnelOfDate | Readonly<Record<string, FunnelOfDate>>>>;
}

const ALL = 'all dates';

/** Shows how many users come how far: of all dates together or of one, and of each segment. */
export class FunnelView implements AnswerView {
  readonly root = createElement('div');
  private readonly date = new Chooser('Date', () => this.draw());
  private readonly segment = new Chooser('Segment', () => this.draw());
  private readonly place = createScrollRegion('Funnel');
  /** By segment, then by date. */
  private funnels: ReadonlyMap<string, ReadonlyMap<string, FunnelOfDate>> = new Map();

  constructor() {
    const controls = createElement('p', { class: 'controls' }, this.date.root, this.segment.root);
    this.root.append(controls, this.place);
  }

  show(answer: unknown, asked: ReadonlyMap<string, string>): void {
    const { meta, data } = answer as Answer;
    const funnels = new Map<string, Map<string, FunnelOfDate>>();
    for (const date of meta.dates) {
      const found = data[date] ?? { steps: [] };
      const segments = asked.has('on') ? (found as Record<string, FunnelOfDate>) : { $overall: found as FunnelOfDate };
      for (const [name, funnel] of Object.entries(segments))
        funnels.set(name, (funnels.get(name) ?? new Map()).set(date, funnel));
    }
    this.funnels = funnels;
    this.date.offer([ALL, ...meta.dates]);
    this.segment.offer([...funnels.keys()]);
    this.draw();
  }

  private draw(): void {
    const dates = this.funnels.get(this.segment.chosen) ?? new Map<string, FunnelOfDate>();
    const { chosen } = this.date;
    const steps = together(chosen === ALL ? [...dates.values()] : [dates.get(chosen) ?? { steps: [] }]);
    this.place.replaceChildren(createTable('Users at each step', COLUMNS, rowsOf(steps)));
  }
}

/** The steps of several dates as those of one. */
function together(funnels: readonly FunnelOfDate[]): Step[] {
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
  { title: 'Of the first step', kind: 'share' },
  { title: 'Of the step before', kind: 'number' },
  { title: 'Mean time since', kind: 'number' },
] as const;

function rowsOf(steps: readonly Step[]): HTMLElement[] {
  const first = steps[0]?.count ?? 0;
  return steps.map(({ event, count, avg_time }, at) => {
    const before = steps[at - 1]?.count;
    return createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, `${at + 1}. `, createElement('bdi', {}, escapeUnprintable(event))),
      createElement('td', { class: 'number' }, formatInteger(count)),
      ...shareCells(count, first, first),
      createElement('td', { class: 'number' }, before === undefined ? '' : share(count, before)),
      createElement('td', { class: 'number' }, avg_time === null ? '' : durationText(avg_time)),
    );
  });
}

/** The two greatest units of a duration: `3 h 20 min`. */
function durationText(seconds: number): string {
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
