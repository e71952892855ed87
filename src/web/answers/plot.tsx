import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import type { AxisTick } from './days.ts';
import { formatNumber, formatTick } from './numbers.ts';
import { Disclosure, ScrollRegion } from './parts.tsx';
import { Axes, Bars, Crosshair, Lines, layOutPlot, type PlotLine, type PlotMark } from './plot-picture.tsx';

/** The lines that are drawn; a table has all. The style sheet has a colour for each. */
export const DRAWN_LINES = 6;

interface PlotProps {
  /** Names the picture. */
  readonly label: string;
  readonly mark?: PlotMark;
  /** The title of each point, such as its date; and of those of the period before. */
  readonly points: readonly string[];
  readonly pointsBefore?: readonly string[] | undefined;
  readonly lines: readonly PlotLine[];
  /** Returns the ticks of the horizontal axis, for a width in pixels and the distance of points. */
  readonly chooseTicks: (step: number) => readonly AxisTick[];
  readonly format?: (value: number | null) => string;
  /** Formats a number of the vertical axis. */
  readonly formatAxis?: (value: number) => string;
  /** The first point that is not over. */
  readonly openFrom?: number | undefined;
  /** Texts at points. */
  readonly marks?: readonly AxisTick[];
  /** Called with the first and the last point that someone selects. */
  readonly onZoom?: ((first: number, last: number) => void) | undefined;
}

/** More rows make a page slow; a downloaded file has all of them. */
const MAX_ROWS = 1_000;

/**
 * A picture of numbers, with a table of them. The pointer, a finger or the arrow keys move a crosshair; dragging, a double
 * click or Enter zooms.
 */
export function Plot(props: PlotProps) {
  const { label, mark = 'line', lines, points, pointsBefore, onZoom, openFrom, marks = [], chooseTicks } = props;
  const { format = formatNumber, formatAxis = formatTick } = props;
  const drawn = lines.slice(0, DRAWN_LINES);
  const [area, width] = useWidth();
  const [active, setActive] = useState<number>();
  /** Where a selection began. */
  const [anchor, setAnchor] = useState<number>();
  const hint = useId();
  const layout = layOutPlot(mark, drawn, points.length, width, formatAxis);
  const { x, step, top, bottom } = layout;
  const clamp = (at: number) => Math.max(0, Math.min(points.length - 1, at));
  const shown = active === undefined ? undefined : clamp(active);

  const find = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>) =>
    clamp(Math.round((clientX - currentTarget.getBoundingClientRect().left - x(0)) / step));
  const leave = () => {
    setAnchor(undefined);
    setActive(undefined);
  };
  const zoom = (first: number, last: number) => {
    leave();
    onZoom?.(Math.min(first, last), Math.max(first, last));
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const last = points.length - 1;
    const moves = { ArrowRight: (shown ?? -1) + 1, ArrowLeft: (shown ?? last + 1) - 1, Home: 0, End: last };
    const to = moves[event.key as keyof typeof moves];
    if (to !== undefined) {
      event.preventDefault();
      setAnchor(event.shiftKey && onZoom !== undefined ? (anchor ?? shown) : undefined);
      setActive(clamp(to));
    } else if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && shown !== undefined) zoom(anchor ?? shown, shown);
  };

  return (
    <div class="plot">
      <div
        ref={area}
        class={onZoom === undefined ? 'plot-area' : 'plot-area plot-zoomable'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its crosshair.
        tabIndex={0}
        role="application"
        aria-roledescription="chart"
        aria-label={label}
        aria-describedby={hint}
        onKeyDown={press}
        onBlur={leave}
        onPointerMove={(event) => setActive(find(event))}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && leave()}
        onPointerDown={(event) => {
          setActive(find(event));
          // A finger moves the crosshair; it does not select.
          if (event.pointerType !== 'touch' && event.button === 0 && onZoom !== undefined) setAnchor(find(event));
        }}
        onPointerUp={(event) => {
          if (anchor !== undefined && anchor !== find(event)) zoom(anchor, find(event));
          else setAnchor(undefined);
        }}
        onDblClick={() => shown !== undefined && zoom(shown, shown)}
      >
        <svg class="plot-picture" width={width} height={layout.height} aria-hidden="true">
          <Axes layout={layout} ticks={chooseTicks(step)} formatAxis={formatAxis} />
          {anchor !== undefined && shown !== undefined && (
            <rect
              class="plot-selection"
              x={Math.min(x(anchor), x(shown))}
              y={top}
              width={Math.abs(x(anchor) - x(shown))}
              height={bottom - top}
            />
          )}
          {marks.map(({ at }) => (
            <g key={at} class="plot-mark">
              <path d={`M${x(at)} ${top}V${bottom}`} />
              <circle cx={x(at)} cy={top} r="3.5" />
            </g>
          ))}
          {mark === 'line' ? (
            <Lines layout={layout} lines={drawn} openFrom={openFrom} />
          ) : (
            drawn[0] !== undefined && <Bars layout={layout} line={drawn[0]} active={shown} />
          )}
          {shown !== undefined && mark === 'line' && <Crosshair layout={layout} lines={drawn} at={shown} />}
        </svg>
        {shown !== undefined && (
          <div
            class="plot-tip"
            // Beside the crosshair, on the side with more room.
            style={
              x(shown) < width / 2
                ? { left: `${x(shown) + 12}px`, maxWidth: `${width - x(shown) - 12}px` }
                : { right: `${width - x(shown) + 12}px`, maxWidth: `${x(shown) - 12}px` }
            }
          >
            <strong>{escapeUnprintable(points[shown] ?? '')}</strong>
            <table>
              <tbody>
                {listReadings(drawn, shown).map(({ line, value, index }) => (
                  <tr key={line.name}>
                    <th scope="row">
                      <i class={`swatch series-${(mark === 'colored-bar' ? shown : index) + 1}`} />
                      <bdi>{escapeUnprintable(line.name)}</bdi>
                    </th>
                    <td>{format(value)}</td>
                    {line.before !== undefined && <td class="muted">{format(line.before[shown] ?? 0)}</td>}
                  </tr>
                ))}
              </tbody>
            </table>
            {pointsBefore?.[shown] !== undefined && <span class="muted">before: {pointsBefore[shown]}</span>}
            {openFrom !== undefined && shown >= openFrom && <span class="muted">Not over yet</span>}
            {marks
              .filter(({ at }) => at === shown)
              .map(({ text }) => (
                <bdi key={text}>{escapeUnprintable(text)}</bdi>
              ))}
          </div>
        )}
      </div>
      <p class="unseen" id={hint}>
        The arrow keys move along the chart, Escape leaves it.
        {onZoom !== undefined && ' Enter zooms in; with Shift, the arrow keys select more.'}
      </p>
      <p class="unseen" role="status">
        {shown !== undefined &&
          `${points[shown]}: ${listReadings(drawn, shown)
            .map(({ line, value }) => `${line.name} ${format(value)}`)
            .join(', ')}`}
      </p>
      <Disclosure title="As a table">{() => <PointsTable {...props} format={format} />}</Disclosure>
    </div>
  );
}

/** Returns the numbers of lines at a point, highest first, with the places of the lines. */
function listReadings(lines: readonly PlotLine[], at: number) {
  const readings = lines.map((line, index) => ({ line, index, value: line.values[at] ?? null }));
  return readings
    .filter(({ value, line }) => value !== null || line.before !== undefined)
    .sort((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY));
}

function PointsTable({ label, points, lines, format = formatNumber }: PlotProps) {
  return (
    <ScrollRegion label={label}>
      <table class="grid">
        <caption class="unseen">{label}</caption>
        <thead>
          <tr>
            <td />
            {lines.map(({ name, before }) => (
              <>
                <th key={name} scope="col" class="number">
                  <bdi>{escapeUnprintable(name)}</bdi>
                </th>
                {before !== undefined && (
                  <th scope="col" class="number">
                    <bdi>{escapeUnprintable(name)}</bdi>, before
                  </th>
                )}
              </>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.slice(0, MAX_ROWS).map((point, at) => (
            <tr key={point}>
              <th scope="row">{escapeUnprintable(point)}</th>
              {lines.map(({ name, values, before }) => (
                <>
                  <td key={name} class="number">
                    {format(values[at] ?? null)}
                  </td>
                  {before !== undefined && <td class="number">{format(before[at] ?? null)}</td>}
                </>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {points.length > MAX_ROWS && (
        <p class="muted">
          The first {formatInteger(MAX_ROWS)} of {formatInteger(points.length)}. A CSV file has all of them.
        </p>
      )}
    </ScrollRegion>
  );
}

/** Returns a reference for an element, and its width in pixels. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(720);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => element.clientWidth > 0 && setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
