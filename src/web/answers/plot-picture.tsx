import { escapeUnprintable, truncate } from '../../base/strings.ts';
import type { AxisTick } from './days.ts';
import { createScale, type NumberScale, spreadLabels } from './scale.ts';

/** A line of a plot: a number for each point. Nothing is drawn for null. */
export interface PlotLine {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The line of the period before, which shares the colour. */
  readonly before?: readonly (number | null)[] | undefined;
}

/** A line for each name, or a bar for each point; of the second, one may have a colour for each point. */
export type PlotMark = 'line' | 'bar' | 'colored-bar';

/** Where everything of a plot is, in pixels. */
export interface PlotLayout {
  readonly mark: PlotMark;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly scale: NumberScale;
  /** The distance between points. */
  readonly step: number;
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
}

const MAX_LABEL = 18;
const LABEL_HEIGHT = 15;

/** The width of a character of the small type. */
const CHARACTER = 6.6;

/** The width up to which a plot has no room for labels beside its lines. */
const NARROW = 480;

/** Lays out a plot in a width. */
export function layOutPlot(
  mark: PlotMark,
  lines: readonly PlotLine[],
  count: number,
  width: number,
  formatAxis: (value: number) => string,
): PlotLayout {
  const isNarrow = width < NARROW;
  const scale = createScale(
    lines.flatMap(({ values, before = [] }) => [...values, ...before]),
    isNarrow ? 4 : 5,
  );
  const left = 12 + CHARACTER * Math.max(2, ...scale.ticks.map((value) => formatAxis(value).length));
  const longest = Math.max(...lines.map(({ name }) => truncate(name, MAX_LABEL).length));
  const besideLines = lines.length > 1 && !isNarrow ? 14 + (CHARACTER + 0.4) * longest : 16;
  const right = width - (mark === 'line' ? besideLines : 0);
  const [height, top] = [isNarrow ? 210 : 268, 12];
  const bottom = height - 28;
  const step = Math.max(1, right - left) / Math.max(1, mark === 'line' ? count - 1 : count);
  const x = (at: number) => round(left + (mark === 'line' ? at : at + 0.5) * step);
  const y = (value: number) => round(bottom - scale.place(value) * (bottom - top));
  return { mark, width, height, left, right, top, bottom, scale, step, x, y };
}

/** Draws the grid and the ticks of both axes. */
export function Axes({
  layout: { left, right, bottom, x, y, scale, width },
  ticks,
  formatAxis,
}: {
  readonly layout: PlotLayout;
  readonly ticks: readonly AxisTick[];
  readonly formatAxis: (value: number) => string;
}) {
  return (
    <g class="plot-axes">
      {scale.ticks.map((value) => (
        <g key={value}>
          <path class={value === 0 ? 'plot-zero' : undefined} d={`M${left} ${y(value)}H${right}`} />
          <text x={left - 10} y={y(value) + 4} text-anchor="end">
            {formatAxis(value)}
          </text>
        </g>
      ))}
      {ticks.map(({ at, text }) => {
        // The outermost labels stay inside the picture.
        const half = (text.length * CHARACTER) / 2;
        const anchor = x(at) + half > width ? 'end' : 'middle';
        return (
          <text key={at} x={anchor === 'end' ? width : x(at)} y={bottom + 20} text-anchor={anchor}>
            {text}
          </text>
        );
      })}
    </g>
  );
}

/** Draws lines, with their names at the ends. The part from `openFrom` on is dashed. */
export function Lines({
  layout,
  lines,
  openFrom = Number.POSITIVE_INFINITY,
}: {
  readonly layout: PlotLayout;
  readonly lines: readonly PlotLine[];
  readonly openFrom: number | undefined;
}) {
  const { x, y, top, bottom, right, width } = layout;
  const path = (values: readonly (number | null)[], from: number, to: number) =>
    formatPath(values, layout, Math.max(0, from), Math.min(values.length - 1, to));
  const ends = lines.map(({ values }) => values.findLastIndex((value) => value !== null));
  const labels = spreadLabels(
    lines.map(({ values }, at) => y(values[ends[at] ?? 0] ?? 0) - top),
    LABEL_HEIGHT,
    bottom - top + LABEL_HEIGHT,
  );
  return (
    <>
      {lines.map(({ name, before }, index) =>
        before === undefined ? null : (
          <path key={name} class={`plot-line plot-before series-${index + 1}`} d={path(before, 0, before.length)} />
        ),
      )}
      {lines.map(({ name, values }, index) => (
        <g key={name} class={`series-${index + 1}`}>
          <path class="plot-line" d={path(values, 0, openFrom - 1)} />
          {openFrom < values.length && (
            <path class="plot-line plot-open" d={path(values, openFrom - 1, values.length)} />
          )}
          {findLonely(values).map((at) => (
            <circle key={at} class="plot-lonely" cx={x(at)} cy={y(values[at] ?? 0)} r="3" />
          ))}
          {lines.length > 1 && width >= NARROW && (
            <text class="plot-label" x={right + 10} y={top + (labels[index] ?? 0) + 4}>
              {escapeUnprintable(truncate(name, MAX_LABEL))}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

/** Draws a bar for each point of the first line, beside the bar of the period before. */
export function Bars({
  layout: { x, y, step, mark },
  line,
  active,
}: {
  readonly layout: PlotLayout;
  readonly line: PlotLine;
  readonly active: number | undefined;
}) {
  const gap = mark === 'bar' ? Math.min(2, step / 4) : Math.max(step / 3, step - 96);
  const isCompared = line.before !== undefined;
  const full = step - gap;
  const bar = (at: number, value: number | null | undefined, isBefore: boolean) => {
    const width = isCompared ? full / 2 : full;
    const from = x(at) - full / 2 + (isCompared && !isBefore ? width : 0);
    const [top, height] = [Math.min(y(value ?? 0), y(0)), Math.abs(y(value ?? 0) - y(0))];
    return (
      <rect
        class={isBefore ? 'plot-bar plot-before' : 'plot-bar'}
        x={from}
        y={top}
        width={width}
        height={height}
        rx={Math.min(3, width / 4)}
      />
    );
  };
  return (
    <>
      {line.values.map((value, at) => {
        const color = mark === 'colored-bar' ? `series-${at + 1}` : 'series-1';
        return (
          <g key={at} class={active === undefined || active === at ? color : `${color} plot-dimmed`}>
            {isCompared && bar(at, line.before?.[at], true)}
            {bar(at, value, false)}
          </g>
        );
      })}
    </>
  );
}

/** Draws the crosshair of a point, with a dot on each line. */
export function Crosshair({
  layout: { x, y, top, bottom },
  lines,
  at,
}: {
  readonly layout: PlotLayout;
  readonly lines: readonly PlotLine[];
  readonly at: number;
}) {
  return (
    <>
      <path class="plot-crosshair" d={`M${x(at)} ${top}V${bottom}`} />
      {lines.map(({ name, values }, index) => {
        const value = values[at] ?? null;
        return value === null ? null : (
          <circle key={name} class={`plot-dot series-${index + 1}`} cx={x(at)} cy={y(value)} r="4" />
        );
      })}
    </>
  );
}

/** Formats the path through the numbers from a point to another. It breaks where a number is missing. */
function formatPath(values: readonly (number | null)[], { x, y }: PlotLayout, from: number, to: number): string {
  let path = '';
  for (let at = from; at <= to; at++) {
    const value = values[at] ?? null;
    if (value === null) continue;
    const isStart = at === from || (values[at - 1] ?? null) === null;
    path += `${isStart ? 'M' : 'L'}${x(at)} ${y(value)}`;
  }
  return path;
}

/** Returns the points that no line reaches, because the numbers around are missing. */
function findLonely(values: readonly (number | null)[]): number[] {
  const isMissing = (at: number) => (values[at] ?? null) === null;
  return values.flatMap((value, at) => (value !== null && isMissing(at - 1) && isMissing(at + 1) ? [at] : []));
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
