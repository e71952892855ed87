import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import { readGroupedProperty } from '../shared/segment-condition.ts';
import type { Answer, AnswerActions, ChartAnnotation } from './answer.ts';
import { chooseTimeTicks, formatBucketTitle, parseTime } from './days.ts';
import { formatChange, formatNumber } from './numbers.ts';
import {
  BarCell,
  createDelta,
  Delta,
  formatShareOf,
  Headline,
  Nothing,
  ScrollRegion,
  SegmentName,
  Swatch,
  UsersNumber,
} from './parts.tsx';
import { DRAWN_LINES, Plot } from './plot.tsx';
import {
  findDays,
  findHeadline,
  findOpenBucket,
  formatPeriodBefore,
  type NamedSeries,
  nameNumber,
  readSeries,
  type SeriesAnswer,
  type SeriesMeasure,
  sortBySize,
} from './read-series.ts';

/** The pixels that a date below a chart needs. */
const TICK_WIDTH = 60;

interface LinesProps {
  readonly answer: Answer;
  readonly actions: AnswerActions;
  readonly note?: ComponentChildren;
}

/** Shows numbers over time: the total, the largest series in a picture, and all of them in a table. */
export function LinesAnswer({ answer, actions, note }: LinesProps) {
  const { parameters, annotations } = answer;
  const data = readSeries(answer);
  const series = sortBySize(data.series);
  const since = formatPeriodBefore(parameters);
  const isGrouped = series.length > 1 || parameters.has('on') || parameters.has('name');
  return (
    <>
      <SeriesHead answer={answer} data={data} note={note} />
      {series.length === 0 ? (
        <Nothing>No such events on these days. Try more days, another event or fewer conditions.</Nothing>
      ) : (
        <SeriesPlot answer={answer} data={{ ...data, series }} actions={actions} />
      )}
      {series.length > DRAWN_LINES && (
        <p class="card-hint">
          The chart shows the top {DRAWN_LINES} of {formatInteger(series.length)}.
        </p>
      )}
      {isGrouped && data.measure !== 'sum' && data.measure !== 'average' && series.length > 0 && (
        <SegmentsTable data={data} series={series} answer={answer} actions={actions} since={since} />
      )}
      {annotations !== undefined && (
        <Annotations annotations={annotations} day={data.labels[0] ?? ''} annotate={actions.annotate} />
      )}
    </>
  );
}

/** Shows the headline of numbers over time. */
export function SeriesHead({
  answer,
  data,
  note,
}: {
  readonly answer: Answer;
  readonly data: SeriesAnswer;
  readonly note: ComponentChildren;
}) {
  const { number, before, name, meanOf } = findHeadline(answer, data);
  const { parameters } = answer;
  const measured = <bdi>{escapeUnprintable(nameNumber(parameters))}</bdi>;
  const given = name ?? (answer.path === 'events' ? data.series[0]?.name : parameters.get('event')) ?? '';
  const isOneEvent = answer.path !== 'events' || data.series.length < 2 || name !== undefined;
  const event = <bdi>{escapeUnprintable(given)}</bdi>;
  const words = {
    events: isOneEvent ? <>{event} events</> : <>events of {formatInteger(data.series.length)} names</>,
    users: (
      <>
        unique users{name === undefined ? ' of ' : ', most of all: '}
        {event}
      </>
    ),
    'events per user': (
      <>
        events per user{name === undefined ? ' of ' : ', most of all: '}
        {event}
      </>
    ),
    sum: (
      <>
        total {measured} of {event} events
      </>
    ),
    average: (
      <>
        average {measured} of {event} events
        {meanOf !== undefined && meanOf > 1 && `, mean of ${meanOf} ${describeMean(answer)}`}
      </>
    ),
  }[data.measure];
  const isTooLarge =
    data.measure === 'sum' && data.series.some(({ values }) => values.includes(null) && !Number.isFinite(number));
  return (
    <Headline
      number={number === undefined || isTooLarge ? '–' : formatNumber(number)}
      words={words}
      delta={createDelta(number, before, formatPeriodBefore(parameters))}
      note={note}
    />
  );
}

function describeMean({ parameters }: Answer): string {
  return parameters.get('unit') === 'hour' ? 'hourly averages' : 'daily averages';
}

/** Draws numbers over time. A single bucket is drawn as a bar for each name. */
export function SeriesPlot({
  answer,
  data: { labels, labelsBefore, bucket, series, measure },
  actions,
}: {
  readonly answer: Answer;
  readonly data: SeriesAnswer;
  readonly actions: AnswerActions;
}) {
  const { today, annotations = [], parameters } = answer;
  const title = (label: string) => formatBucketTitle(label, bucket, today);
  const label = describePlot(measure, answer);
  if (labels.length === 1) {
    const drawn = series.slice(0, DRAWN_LINES);
    const pick = (values: readonly (number | null)[] | undefined) => values?.[0] ?? 0;
    const isCompared = series.some(({ before }) => before !== undefined);
    const line = {
      name: title(labels[0] ?? ''),
      values: drawn.map(({ values }) => pick(values)),
      before: isCompared ? drawn.map(({ before }) => pick(before)) : undefined,
    };
    const names = drawn.map(({ name }) => escapeUnprintable(name));
    const ticks = names.map((text, at) => ({ at, text: text.length > 14 ? `${text.slice(0, 13)}…` : text }));
    return <Plot label={label} mark="colored-bar" points={names} lines={[line]} chooseTicks={() => ticks} />;
  }
  const times = labels.map(parseTime);
  const marks = annotations.flatMap(({ date, description }) => {
    const at = times.findLastIndex((time) => time <= parseTime(date));
    return at === -1 ? [] : [{ at, text: description }];
  });
  return (
    <Plot
      label={label}
      points={labels.map(title)}
      pointsBefore={labelsBefore?.map(title)}
      lines={series}
      chooseTicks={(step) => chooseTimeTicks(times, TICK_WIDTH / step)}
      openFrom={findOpenBucket({ labels, bucket, series, measure, labelsBefore }, today)}
      marks={marks}
      onZoom={parameters.has('from_date') ? (first, last) => actions.zoom(...findDays(labels, first, last)) : undefined}
    />
  );
}

function describePlot(measure: SeriesMeasure, { parameters }: Answer): string {
  const unit = parameters.get('unit') ?? 'day';
  return `${measure[0]?.toUpperCase()}${measure.slice(1)} by ${parameters.has('interval') ? 'bucket' : unit}`;
}

function SegmentsTable({
  data: { measure },
  series,
  answer: { parameters, path },
  actions: { filterBySegment, openUsers },
  since,
}: LinesProps & { readonly data: SeriesAnswer; readonly series: readonly NamedSeries[]; readonly since: string }) {
  const isProperty = readGroupedProperty(parameters.get('on') ?? '') !== undefined;
  const group = path === 'events' ? 'Event' : (parameters.get('name') ?? nameNumber(parameters));
  const totals = series.map(({ total = 0 }) => total);
  const [all, longest] = [totals.reduce((sum, total) => sum + total, 0), Math.max(...totals)];
  const isCompared = series.some(({ before }) => before !== undefined);
  const title = {
    events: 'Total',
    users: 'Unique users',
    'events per user': 'Per user',
    sum: 'Sum',
    average: 'Average',
  }[measure];
  return (
    <ScrollRegion label={title}>
      <table class="grid">
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">
              <bdi>{escapeUnprintable(group)}</bdi>
            </th>
            <th scope="col" class="number">
              {title}
            </th>
            <th scope="col" class="number">
              {measure === 'events' ? 'Share' : 'Compared'}
            </th>
            {isCompared && (
              <th scope="col" class="number">
                {since}
              </th>
            )}
            {isCompared && (
              <th scope="col" class="number">
                Change
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {series.map(({ name, total, totalBefore }, at) => {
            const delta = createDelta(total, totalBefore, since);
            return (
              <tr key={name}>
                <th scope="row">
                  <Swatch line={at} drawn={DRAWN_LINES} />
                  <SegmentName name={name} filter={isProperty ? filterBySegment : undefined} />
                </th>
                <td class="number">
                  <UsersNumber users={{ kind: 'segment', name }} open={openUsers} label={`Users of ${name}`}>
                    {total === undefined ? '–' : formatNumber(total)}
                  </UsersNumber>
                </td>
                <BarCell part={total ?? 0} longest={longest} line={at}>
                  {measure === 'events' && formatShareOf(total ?? 0, all)}
                </BarCell>
                {isCompared && <td class="number">{totalBefore === undefined ? '–' : formatNumber(totalBefore)}</td>}
                {isCompared && (
                  <td class="number">
                    {delta !== undefined && <Delta {...delta} text={formatChange(total ?? 0, totalBefore ?? 0)} />}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Lists the annotations of a chart, and adds one at the start of a day. */
function Annotations({
  annotations,
  day,
  annotate,
}: {
  readonly annotations: readonly ChartAnnotation[];
  readonly day: string;
  readonly annotate: AnswerActions['annotate'];
}) {
  const text = useRef<HTMLInputElement>(null);
  const date = useRef<HTMLInputElement>(null);
  return (
    <details class="disclosure annotations" open={annotations.length > 0}>
      <summary>Annotations ({annotations.length})</summary>
      <ol>
        {annotations.map(({ date, description }) => (
          <li key={`${date} ${description}`}>
            <time dateTime={date.replace(' ', 'T')}>{date.replace(/ 00:00:00$/, '')}</time>{' '}
            <bdi>{escapeUnprintable(description)}</bdi>
          </li>
        ))}
      </ol>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const description = text.current?.value.trim() ?? '';
          if (description !== '') annotate({ date: `${date.current?.value} 00:00:00`, description });
        }}
      >
        <input ref={date} type="date" aria-label="Day of the annotation" required defaultValue={day.slice(0, 10)} />
        <input ref={text} aria-label="Text of the annotation" placeholder="What happened" required />
        <button type="submit">Annotate</button>
      </form>
    </details>
  );
}
