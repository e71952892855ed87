import uPlot from 'uplot';
import { formatInteger } from '../../base/strings.ts';
import { createElement } from '../../editor/dom.ts';
import { type ChartData, formatLineValue } from './chart-data.ts';
import { createSegmentName, type OnChooseSegment } from './table.ts';
import { onThemeChange, readColor } from './theme.ts';

/** The maximum number of lines that are easy to tell apart. The style sheet has a colour for each. */
export const MAX_LINES = 6;

const HEIGHT = 260;

/** Dash patterns, which tell lines apart without their colours. */
const DASHES = [[], [7, 4], [2, 3], [11, 4, 2, 4], [4, 2], [14, 5]];

/** Steps between ticks of whole numbers. */
const STEPS = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Steps between ticks of days, in seconds. */
const DAYS = [1, 2, 7, 14, 28, 91, 182, 364, 728].map((days) => days * DAY);

interface DrawOptions {
  /** Times that get a vertical line, as buckets are written. */
  readonly marks?: readonly string[] | undefined;
  /** Called when someone chooses a line in the legend. */
  readonly onChoose?: OnChooseSegment | undefined;
}

/** A line chart of numbers over time. Its legend shows the values under the pointer. */
export class Chart {
  readonly root = createElement('div', { class: 'chart' });
  private readonly area = createElement('div', { class: 'area', role: 'img' });
  private readonly legend = createElement('ul', { class: 'legend' });
  private plot: uPlot | undefined;
  private redraw = () => {};
  private marks: readonly number[] = [];

  /** @param onZoom Called with the first and the last bucket that someone drags over. */
  constructor(private readonly onZoom?: (first: number, last: number) => void) {
    this.root.append(this.area, this.legend);
    new ResizeObserver(() => this.fit()).observe(this.area);
    onThemeChange(() => this.redraw());
  }

  /**
   * Draws the first {@link MAX_LINES} lines. `label` describes the chart for screen readers.
   */
  draw({ buckets, lines }: ChartData, label: string, { marks = [], onChoose }: DrawOptions = {}): void {
    this.marks = marks.map(parseBucket);
    const drawn = lines.slice(0, MAX_LINES);
    const data = [buckets.map(parseBucket), ...drawn.map(({ values }) => [...values])] as [number[], ...number[][]];
    const readouts = this.showLegend(
      drawn.map(({ name }) => name),
      onChoose,
    );
    const read = (at: number | null | undefined) => {
      for (const [index, { total, values }] of drawn.entries()) {
        const readout = readouts[index];
        const number = at == null ? total : values[at];
        if (readout) readout.textContent = number === undefined ? '' : formatLineValue(number);
      }
    };
    read(undefined);
    this.area.setAttribute('aria-label', label);
    this.redraw = () => {
      this.plot?.destroy();
      this.plot = new uPlot(this.options(data, read), data, this.area);
    };
    this.redraw();
  }

  private fit(): void {
    const width = this.area.clientWidth;
    if (width > 0) this.plot?.setSize({ width, height: HEIGHT });
  }

  private showLegend(names: readonly string[], onChoose: OnChooseSegment | undefined): HTMLElement[] {
    const readouts = names.map(() => createElement('span', { class: 'reading' }));
    const entries = names.map((name, line) => {
      const title = createSegmentName(name, onChoose);
      return createElement('li', { 'data-line': String(line + 1) }, createSwatch(line), title, readouts[line] ?? '');
    });
    this.legend.replaceChildren(...entries);
    return readouts;
  }

  private options(
    [times, ...lines]: readonly [readonly number[], ...(readonly number[])[]],
    read: (at: number | null | undefined) => void,
  ): uPlot.Options {
    const color = (property: string) => readColor(this.area, property);
    const line = { stroke: color('--line'), width: 1 };
    const axis = {
      stroke: color('--muted'),
      grid: line,
      ticks: line,
      font: '12px system-ui, sans-serif',
    };
    const isWhole = lines.every((values) => values.every(Number.isInteger));
    const isDaily = times.every((time) => time % DAY === 0);
    const series = lines.map((_, index) => ({
      stroke: color(`--line-${index + 1}`),
      width: 2,
      dash: DASHES[index] ?? [],
      points: { show: times.length === 1 },
    }));
    return {
      width: this.area.clientWidth,
      height: HEIGHT,
      // The last label is wider than the space next to its tick.
      padding: [null, 40, null, null],
      legend: { show: false },
      cursor: { drag: { x: this.onZoom !== undefined, y: false, setScale: false, dist: 5 } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: {
        x: { ...(times.length === 1 && { range: centreTime(times[0] ?? 0, isDaily ? DAY : HOUR) }) },
        y: { range: (_, min, max) => fitRange(min, max, isWhole) },
      },
      axes: [
        { ...axis, space: 100, ...(isDaily && { incrs: DAYS }), values: (_, ticks) => ticks.map(formatTick) },
        {
          ...axis,
          size: (_, labels) => 20 + 7 * longestLength(labels ?? []),
          ...(isWhole && { incrs: STEPS }),
          values: (_, ticks) => ticks.map(formatInteger),
        },
      ],
      series: [{}, ...series],
      hooks: {
        draw: [(plot) => this.drawMarks(plot)],
        setCursor: [({ cursor }) => read(cursor.idx)],
        setSelect: [(plot) => this.zoom(plot, times)],
      },
    };
  }

  private drawMarks({ ctx, bbox, valToPos }: uPlot): void {
    ctx.save();
    ctx.strokeStyle = readColor(this.area, '--text');
    ctx.setLineDash([3, 3]);
    for (const time of this.marks) {
      const x = valToPos(time, 'x', true);
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  private zoom(plot: uPlot, times: readonly number[]): void {
    const { left, width } = plot.select;
    if (width === 0) return;
    const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')];
    const first = times.findIndex((time) => time >= from);
    const last = times.findLastIndex((time) => time <= to);
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (first !== -1 && first <= last) this.onZoom?.(first, last);
  }
}

function longestLength(labels: readonly string[]): number {
  return Math.max(5, ...labels.map(({ length }) => length));
}

/** Returns the range of the x-axis for a single bucket. Left alone, it would reach years ahead. */
function centreTime(time: number, bucket: number): [number, number] {
  return [time - bucket / 2, time + bucket / 2];
}

/** Returns the range of the y-axis. It includes 0. */
function fitRange(min: number, max: number, isWhole: boolean): [number, number] {
  const top = Math.max(max * 1.05, min < 0 ? 0 : isWhole ? 1 : Number.MIN_VALUE);
  return [Math.min(0, min * 1.05), top];
}

/** Formats Unix seconds as a day at midnight, and as a time of day otherwise. */
function formatTick(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString();
  return seconds % DAY === 0 ? iso.slice(0, 10) : iso.slice(11, 16);
}

/** Parses `2025-06-01` or `2025-06-01 13:00:00` into Unix seconds. */
function parseBucket(bucket: string): number {
  return Date.parse(bucket.length > 10 ? `${bucket.replace(' ', 'T')}Z` : bucket) / 1000;
}

function createSwatch(index: number): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  const line = document.createElementNS(namespace, 'line');
  const attributes = { x1: 0, x2: 26, y1: 5, y2: 5, 'stroke-dasharray': (DASHES[index] ?? []).join(' ') };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, String(value));
  svg.setAttribute('width', '26');
  svg.setAttribute('height', '10');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(line);
  return svg;
}
