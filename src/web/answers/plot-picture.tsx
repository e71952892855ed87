import { escapeUnprintable, truncate } from '../../base/strings.ts';
import type { AxisTick } from './days.ts';
import { getLineStyle } from './parts.tsx';
import { createScale, round, spreadLabels } from './scale.ts';

type Numbers = readonly (number | null)[];

/** A line of a plot: a number for each point. Nothing is drawn for null. */
export interface PlotLine {
  readonly name: string;
  readonly values: Numbers;
  /** The line of the period before, which shares the colour. */
  readonly before?: Numbers | undefined;
}

/** A line for each name, or a bar for each point, which may have a colour each. */
export type PlotMark = 'line' | 'bar' | 'colored-bar';

/** Where everything of a plot is, in pixels. */
type PlotLayout = ReturnType<typeof layOutPlot>;

const MAX_LABEL = 18;
const LABEL_HEIGHT = 15;

/** The width of a character of the small type. */
export const CHARACTER_WIDTH = 6.6;

/** Lays out a plot in a width. A narrow one has no room for labels beside its lines. */
export function layOutPlot(
  mark: PlotMark,
  lines: readonly PlotLine[],
  count: number,
  width: number,
  formatAxis: (value: number) => string,
) {
  const isNarrow = width < 480;
  const numbers = lines.flatMap(({ values, before = [] }) => [...values, ...before]);
  const scale = createScale(numbers, isNarrow ? 4 : 5);
  const left = 12 + CHARACTER_WIDTH * Math.max(2, ...scale.ticks.map((value) => formatAxis(value).length));
  const isLabelled = mark === 'line' && lines.length > 1 && !isNarrow;
  const longest = Math.max(...lines.map(({ name }) => truncate(name, MAX_LABEL).length));
  const right = width - (isLabelled ? 14 + (CHARACTER_WIDTH + 0.4) * longest : mark === 'line' ? 16 : 0);
  const [height, top] = [isNarrow ? 210 : 268, 12];
  const bottom = height - 28;
  const step = Math.max(1, right - left) / Math.max(1, mark === 'line' ? count - 1 : count);
  const x = (at: number) => round(left + (mark === 'line' ? at : at + 0.5) * step);
  const y = (value: number) => round(bottom - scale.place(value) * (bottom - top));
  return { mark, width, height, left, right, top, bottom, step, x, y, isNarrow, isLabelled, ticks: scale.ticks };
}

interface AxesProps {
  readonly layout: PlotLayout;
  readonly ticks: readonly AxisTick[];
  readonly formatAxis: (value: number) => string;
}

/** Draws the grid and the ticks of both axes. */
export function Axes({ layout, ticks, formatAxis }: AxesProps) {
  const { left, right, bottom, width, x, y } = layout;
  return (
    <g class="plot-axes">
      {layout.ticks.map((value) => (
        <g key={value}>
          <path class={value === 0 ? 'plot-zero' : undefined} d={`M${left} ${y(value)}H${right}`} />
          <text x={left - 10} y={y(value) + 4} text-anchor="end">
            {formatAxis(value)}
          </text>
        </g>
      ))}
      {ticks.map(({ at, text }) => {
        // The last label stays inside the picture.
        const isCut = x(at) + (text.length * CHARACTER_WIDTH) / 2 > width;
        return (
          <text key={at} x={isCut ? width : x(at)} y={bottom + 20} text-anchor={isCut ? 'end' : 'middle'}>
            {escapeUnprintable(text)}
          </text>
        );
      })}
    </g>
  );
}

interface LinesProps {
  readonly layout: PlotLayout;
  readonly lines: readonly PlotLine[];
  /** The first point whose lines are dashed. */
  readonly openFrom: number | undefined;
}

/** Draws lines, with their names at the ends. */
export function Lines({ layout, lines, openFrom }: LinesProps) {
  const { x, y, top, bottom, right, isLabelled } = layout;
  const ends = lines.map(({ values }) => y(values.findLast((value) => value !== null) ?? 0) - top);
  const labels = spreadLabels(ends, LABEL_HEIGHT, bottom - top + LABEL_HEIGHT / 2);
  return (
    <>
      {lines.map(({ name, values, before = [] }, line) => (
        <g key={name} style={getLineStyle(line)}>
          <path class="plot-line plot-before" d={formatPath(before, layout, 0, before.length)} />
          <path class="plot-line" d={formatPath(values, layout, 0, openFrom ?? values.length)} />
          {openFrom !== undefined && (
            <path
              class="plot-line plot-open"
              d={formatPath(values, layout, Math.max(0, openFrom - 1), values.length)}
            />
          )}
          {findLonely(values).map((at) => (
            <circle key={at} class="plot-fill" cx={x(at)} cy={y(values[at] ?? 0)} r="3" />
          ))}
          {isLabelled && (
            <text class="plot-label" x={right + 10} y={top + (labels[line] ?? 0) + 4}>
              {escapeUnprintable(truncate(name, MAX_LABEL))}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

interface BarsProps {
  readonly layout: PlotLayout;
  readonly line: PlotLine;
  /** The point that stands out. */
  readonly active: number | undefined;
}

/** Draws a bar for each point of a line, beside the bar of the period before. */
export function Bars({ layout: { x, y, step, mark }, line: { values, before }, active }: BarsProps) {
  const full = mark === 'bar' ? step - Math.min(2, step / 4) : Math.min(step * 0.6, 96);
  const width = before === undefined ? full : full / 2;
  const draw = (at: number, value: number, name: string, left: number) => {
    const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
    return (
      <rect class={name} x={x(at) + left} y={top} width={width} height={bottom - top} rx={Math.min(3, width / 4)} />
    );
  };
  return (
    <>
      {values.map((value, at) => (
        <g
          key={at}
          style={getLineStyle(mark === 'bar' ? 0 : at)}
          class={(active ?? at) === at ? undefined : 'plot-dimmed'}
        >
          {before !== undefined && draw(at, before[at] ?? 0, 'plot-fill plot-before', -width)}
          {draw(at, value ?? 0, 'plot-fill', before === undefined ? -width / 2 : 0)}
        </g>
      ))}
    </>
  );
}

/** Draws the crosshair of a point, with a dot on each line. */
export function Crosshair({
  layout: { x, y, top, bottom },
  lines,
  at,
}: Omit<LinesProps, 'openFrom'> & { readonly at: number }) {
  return (
    <>
      <path class="plot-crosshair" d={`M${x(at)} ${top}V${bottom}`} />
      {lines.map(({ name, values }, line) => {
        const value = values[at] ?? null;
        return (
          value !== null && (
            <circle key={name} class="plot-dot" style={getLineStyle(line)} cx={x(at)} cy={y(value)} r="4" />
          )
        );
      })}
    </>
  );
}

/** Formats the path through numbers from a point to before another. It breaks where a number is missing. */
function formatPath(values: Numbers, { x, y }: Pick<PlotLayout, 'x' | 'y'>, from: number, to: number): string {
  let path = '';
  for (let at = from; at < to; at++) {
    const value = values[at] ?? null;
    if (value !== null) path += `${at === from || (values[at - 1] ?? null) === null ? 'M' : 'L'}${x(at)} ${y(value)}`;
  }
  return path;
}

/** Returns the points that no line reaches, because the numbers around are missing. */
function findLonely(values: Numbers): number[] {
  const isMissing = (at: number) => (values[at] ?? null) === null;
  return values.flatMap((_, at) => (!isMissing(at) && isMissing(at - 1) && isMissing(at + 1) ? [at] : []));
}
