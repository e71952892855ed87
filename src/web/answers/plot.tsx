import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type AxisTick, chooseTimeTicks } from './days.ts';
import { formatNumber, formatTick } from './numbers.ts';
import { Disclosure, Grid, getLineStyle, Name } from './parts.tsx';
import {
  Axes,
  Bars,
  CHARACTER_WIDTH,
  Crosshair,
  Lines,
  layOutPlot,
  type PlotLine,
  type PlotMark,
} from './plot-picture.tsx';

/** The lines that are drawn; a table has all. There is a colour for each. */
export const DRAWN_LINES = 6;

interface PlotProps {
  /** Names the picture. */
  readonly label: string;
  readonly mark?: PlotMark;
  /** The title of each point, and of those of the period before. */
  readonly points: readonly string[];
  readonly pointsBefore?: readonly string[] | undefined;
  /** The start of each point in milliseconds, if it is a time. */
  readonly times?: readonly number[];
  readonly lines: readonly PlotLine[];
  readonly format?: (value: number | null) => string;
  /** The first point that is not over. */
  readonly openFrom?: number | undefined;
  /** Texts at points. */
  readonly marks?: readonly AxisTick[];
  /** Called with the first and the last point that someone selects. */
  readonly onZoom?: ((first: number, last: number) => void) | undefined;
  /** Shows the users behind a number of the table. */
  readonly onOpen?: ((line: number, point: number, isBefore: boolean) => void) | undefined;
}

/**
 * A picture of numbers, with a table of them. The pointer, a finger or the arrow keys move a crosshair; dragging, a double
 * click or Enter zooms.
 */
export function Plot(props: PlotProps) {
  const { label, mark = 'line', lines, points, pointsBefore, times, onZoom, openFrom, marks = [] } = props;
  const { format = formatNumber } = props;
  const formatAxis = props.format ?? formatTick;
  const drawn = lines.slice(0, DRAWN_LINES);
  const [area, width] = useWidth();
  const [active, setActive] = useState<number>();
  /** Where a selection began. */
  const [anchor, setAnchor] = useState<number>();
  const hint = useId();
  const layout = layOutPlot(mark, drawn, points.length, width, formatAxis);
  const { x, step, top, bottom } = layout;
  const last = points.length - 1;
  const clamp = (at: number) => Math.max(0, Math.min(last, at));
  const shown = active && clamp(active);
  const readings = shown === undefined ? [] : listReadings(drawn, shown);

  const find = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>) =>
    clamp(Math.round((clientX - currentTarget.getBoundingClientRect().left - x(0)) / step));
  const leave = () => {
    setAnchor(undefined);
    setActive(undefined);
  };
  const zoom = (first: number, end: number) => {
    leave();
    onZoom?.(Math.min(first, end), Math.max(first, end));
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>) => {
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
          <Axes layout={layout} ticks={chooseTicks(points, times, step, layout.isNarrow)} formatAxis={formatAxis} />
          {anchor !== undefined && shown !== undefined && (
            <path class="plot-selection" d={`M${x(anchor)} ${top}H${x(shown)}V${bottom}H${x(anchor)}Z`} />
          )}
          {marks.map(({ at, text }) => (
            <g key={`${at} ${text}`} class="plot-mark">
              <path d={`M${x(at)} ${top}V${bottom}`} />
              <circle cx={x(at)} cy={top} r="3.5" />
            </g>
          ))}
          {mark === 'line' && <Lines layout={layout} lines={drawn} openFrom={openFrom} />}
          {mark !== 'line' && drawn[0] !== undefined && <Bars layout={layout} line={drawn[0]} active={shown} />}
          {mark === 'line' && shown !== undefined && <Crosshair layout={layout} lines={drawn} at={shown} />}
        </svg>
        {shown !== undefined && (
          // Beside the crosshair, where there is more room.
          <div
            class="plot-tip"
            style={x(shown) < width / 2 ? { left: `${x(shown) + 12}px` } : { right: `${width - x(shown) + 12}px` }}
          >
            <strong>
              <Name text={points[shown] ?? ''} />
            </strong>
            {readings.map(({ name, value, before, line }) => (
              <span key={name} class="plot-reading">
                <i class="swatch" style={getLineStyle(mark === 'colored-bar' ? shown : line)} />
                <Name text={name} />
                <b>{format(value)}</b>
                {before !== undefined && <span class="muted">{format(before)}</span>}
              </span>
            ))}
            {pointsBefore?.[shown] !== undefined && <span class="muted">Before: {pointsBefore[shown]}</span>}
            {openFrom !== undefined && shown >= openFrom && <span class="muted">Not over yet</span>}
            {marks.map(({ at, text }) => at === shown && <Name key={text} text={text} />)}
          </div>
        )}
      </div>
      {layout.isNarrow && mark === 'line' && drawn.length > 1 && (
        <p class="row">
          {drawn.map(({ name }, line) => (
            <span key={name}>
              <i class="swatch" style={getLineStyle(line)} />
              <Name text={name} />
            </span>
          ))}
        </p>
      )}
      <p class="unseen" id={hint}>
        The arrow keys move along the chart, Escape leaves it.
        {onZoom !== undefined && ' Enter zooms in; with Shift, the arrow keys select more.'}
      </p>
      <p class="unseen" role="status">
        {shown !== undefined &&
          `${points[shown]}: ${readings.map(({ name, value }) => `${name} ${format(value)}`).join(', ')}`}
      </p>
      <Disclosure title="As a table">{() => <PlotTable {...props} format={format} />}</Disclosure>
    </div>
  );
}

/** Returns the numbers of lines at a point, highest first. */
function listReadings(lines: readonly PlotLine[], at: number) {
  return lines
    .map(({ name, values, before }, line) => ({
      name,
      line,
      value: values[at] ?? null,
      before: before && (before[at] ?? null),
    }))
    .filter(({ value, before }) => value !== null || before !== undefined)
    .sort((a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY));
}

/** Returns ticks at dates, or at as many of the titles of points as have room. */
function chooseTicks(points: readonly string[], times: readonly number[] | undefined, step: number, isNarrow: boolean) {
  if (times !== undefined) return chooseTimeTicks(times, (isNarrow ? 60 : 96) / step);
  const texts = points.map((text) => (text.length > 16 ? `${text.slice(0, 15)}…` : text));
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  const every = Math.max(1, Math.ceil((longest * CHARACTER_WIDTH + 10) / step));
  return texts.flatMap((text, at): AxisTick[] => (at % every === 0 ? [{ at, text }] : []));
}

function PlotTable({ label, points, lines, onOpen, format = formatNumber }: PlotProps) {
  const show = (line: number, at: number, isBefore: boolean, value: number | null) =>
    onOpen === undefined || !value ? (
      format(value)
    ) : (
      <button type="button" class="link" title="Show these users" onClick={() => onOpen(line, at, isBefore)}>
        {format(value)}
      </button>
    );
  const columns = lines.flatMap(({ name, before }) => (before === undefined ? [name] : [name, `${name}, before`]));
  const rows = points.map((point, at) => [
    <Name key={point} text={point} />,
    ...lines.flatMap(({ values, before }, line) => [
      show(line, at, false, values[at] ?? null),
      ...(before === undefined ? [] : [show(line, at, true, before[at] ?? null)]),
    ]),
  ]);
  return <Grid label={label} columns={['', ...columns]} rows={rows} />;
}

/** Returns a reference for an element, and its width in pixels. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(720);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth((before) => ref.current?.clientWidth || before));
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
