import { omitUndefined } from '../../base/objects.ts';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import { readGroupedProperty } from '../shared/segment-condition.ts';
import { Annotations } from './annotations.tsx';
import type { AnswerProps, UserSelection } from './answer.ts';
import { formatBucketTitle, parseTime } from './days.ts';
import { formatChange, formatNumber, formatPercent } from './numbers.ts';
import { Bar, Delta, Disclosure, Grid, Headline, Name, Nothing, SegmentName, Users } from './parts.tsx';
import { DRAWN_LINES, Plot } from './plot.tsx';
import {
  createZoom,
  findHeadline,
  findOpenBucket,
  formatPeriodBefore,
  nameNumber,
  readSeries,
  type SeriesAnswer,
  type SeriesMeasure,
  sortBySize,
} from './read-series.ts';

/** The titles of the numbers of a whole range. */
const TITLES: Readonly<Record<SeriesMeasure, string>> = {
  events: 'Total',
  users: 'Unique users',
  'events per user': 'Per user',
  sum: 'Sum',
  average: 'Average',
};

interface SeriesProps extends AnswerProps {
  readonly data: SeriesAnswer;
}

/** Shows numbers over time: the total, the largest series in a picture, and all of them in a table. */
export function LinesAnswer(props: AnswerProps) {
  const { parameters, annotations } = props.answer;
  const given = readSeries(props.answer);
  const data = { ...given, series: sortBySize(given.series) };
  const { series, measure, labels, labelsBefore } = data;
  const isGrouped = series.length > 1 || parameters.has('on') || parameters.has('name');
  return (
    <>
      <SeriesHead {...props} data={data} />
      {series.length === 0 ? (
        <Nothing>No such events on these days. Try more days, another event or fewer conditions.</Nothing>
      ) : (
        <SeriesPlot {...props} data={data} />
      )}
      {(series.length > DRAWN_LINES || labelsBefore !== undefined) && (
        <p class="card-hint">
          {series.length > DRAWN_LINES && `The chart shows the top ${DRAWN_LINES} of ${formatInteger(series.length)}. `}
          {labelsBefore !== undefined && `Thin lines: ${formatPeriodBefore(parameters)}.`}
        </p>
      )}
      {series.length > 0 && isGrouped && measure !== 'sum' && measure !== 'average' && (
        <SegmentsTable {...props} data={data} />
      )}
      {annotations !== undefined && (
        <Annotations annotations={annotations} day={labels[0]?.slice(0, 10) ?? ''} annotate={props.actions.annotate} />
      )}
    </>
  );
}

/** Shows how often a number is in each range, as a histogram. */
export function RangesAnswer(props: AnswerProps) {
  const given = readSeries(props.answer);
  const data = { ...given, series: given.series.map((one) => ({ ...one, name: one.name.replace(' - ', '–') })) };
  const { series, measure, labels } = data;
  const trend = () => <SeriesPlot {...props} data={{ ...data, series: sortBySize(series) }} />;
  const isKnown = series.every(({ total }) => total !== undefined);
  const isCompared = series.some(({ before }) => before !== undefined);
  const line = {
    name: measure,
    values: series.map(({ total }) => total ?? null),
    before: isCompared ? series.map(({ totalBefore }) => totalBefore ?? null) : undefined,
  };
  const names = series.map(({ name }) => name);
  return (
    <>
      <SeriesHead {...props} data={data} />
      {series.length === 0 && <Nothing>No such events on these days have this number.</Nothing>}
      {series.length > 0 && !isKnown && trend()}
      {series.length > 0 && isKnown && (
        <>
          <Plot
            label={`Ranges of ${nameNumber(props.answer.parameters)}`}
            mark="bar"
            points={names}
            lines={[line]}
            onOpen={openFrom(props, (_, at, isBefore) => ({ name: given.series[at]?.name, isBefore }))}
          />
          {labels.length > 1 && <Disclosure title="Over time">{trend}</Disclosure>}
        </>
      )}
    </>
  );
}

type Picked = Omit<UserSelection & { readonly kind: 'segment' }, 'kind'>;

/** Returns what opens the users of a number of a chart, if the data can name them. */
function openFrom(
  { actions: { openUsers } }: AnswerProps,
  pick: (
    line: number,
    point: number,
    isBefore: boolean,
  ) => { readonly [Name in keyof Picked]: Picked[Name] | undefined },
) {
  return (
    openUsers &&
    ((...number: Parameters<typeof pick>) => openUsers({ kind: 'segment', ...omitUndefined(pick(...number)) }))
  );
}

function SeriesHead({ answer, data, note, actions }: SeriesProps) {
  const { number, before, name, meanOf } = findHeadline(answer, data);
  const { path, parameters, view } = answer;
  const isOfAll = path === 'events' && data.series.length > 1 && name === undefined;
  const event = <Name text={(path === 'events' ? data.series[0]?.name : parameters.get('event')) ?? ''} />;
  const measured = <Name text={nameNumber(parameters)} />;
  const mean = `, mean of ${meanOf} ${parameters.get('unit') === 'hour' ? 'hourly' : 'daily'} averages`;
  const words = {
    events: isOfAll ? [`events of ${data.series.length} names`] : [event, ' events'],
    users: ['unique users of ', event],
    'events per user': [event, ' events per user'],
    sum: ['total ', measured, ' of ', event, ' events'],
    average: ['average ', measured, ' of ', event, ' events', (meanOf ?? 1) > 1 && mean],
  }[data.measure];
  if (view === 'ranges') words.push(' with a numeric ', measured);
  if (name !== undefined && path !== 'events') words.push(' · ', <Name text={name} />, ', the largest group');
  const change = formatChange(number, before);
  const shown = number !== undefined ? formatNumber(number) : data.measure === 'sum' ? 'Too large' : '–';
  return (
    <Headline
      number={
        <Users of={{ kind: 'segment', ...omitUndefined({ name }) }} open={actions.openUsers}>
          {shown}
        </Users>
      }
      words={words}
      delta={change && `${change} on ${formatPeriodBefore(parameters)}`}
      note={note}
    />
  );
}

/** Draws numbers over time. A single bucket is drawn as a bar for each name. */
function SeriesPlot(props: SeriesProps) {
  const { answer, data, actions } = props;
  const { today, annotations = [], parameters } = answer;
  const { labels, labelsBefore, bucket, series, measure } = data;
  const title = (label: string) => formatBucketTitle(label, bucket, today);
  const unit = 'unit' in bucket ? bucket.unit : `${bucket.days} days`;
  const label = `${measure.charAt(0).toUpperCase()}${measure.slice(1)} by ${unit}`;
  if (labels.length === 1) {
    const drawn = series.slice(0, DRAWN_LINES);
    const line = {
      name: title(labels[0] ?? ''),
      values: drawn.map(({ values }) => values[0] ?? null),
      before: labelsBefore && drawn.map(({ before }) => before?.[0] ?? null),
    };
    return (
      <Plot
        label={label}
        mark="colored-bar"
        points={drawn.map(({ name }) => name)}
        lines={[line]}
        onOpen={openFrom(props, (_, at, isBefore) => ({ name: drawn[at]?.name, isBefore }))}
      />
    );
  }
  const times = labels.map(parseTime);
  const marks = annotations.map(({ date, description }) => ({
    at: times.findLastIndex((time) => time <= parseTime(date)),
    text: description,
  }));
  return (
    <Plot
      label={label}
      points={labels.map(title)}
      pointsBefore={labelsBefore?.map(title)}
      times={times}
      lines={series}
      openFrom={findOpenBucket(data, today)}
      onOpen={openFrom(props, (line, at, isBefore) => ({
        name: series[line]?.name,
        bucket: (isBefore ? labelsBefore : labels)?.[at],
        isBefore,
      }))}
      marks={marks.filter(({ at }) => at !== -1)}
      onZoom={createZoom(labels, parameters.has('from_date') ? actions.zoom : undefined)}
    />
  );
}

function SegmentsTable({
  answer: { parameters, path },
  actions,
  data: { measure, series, labelsBefore },
}: SeriesProps) {
  const isProperty = readGroupedProperty(parameters.get('on') ?? '') !== undefined;
  const group = path === 'events' ? 'Event' : (parameters.get('name') ?? nameNumber(parameters));
  const totals = series.map(({ total = 0 }) => total);
  const [all, longest] = [totals.reduce((sum, total) => sum + total, 0), Math.max(...totals)];
  // Only events add up: a user may be in several groups.
  const columns = [escapeUnprintable(group), TITLES[measure], measure === 'events' ? 'Share' : 'Compared'];
  const rows = series.map(({ name, total, totalBefore }, line) => [
    <SegmentName name={name} line={line} filter={isProperty ? actions.filterBySegment : undefined} />,
    <Users of={{ kind: 'segment', name }} open={actions.openUsers}>
      {total === undefined ? '–' : formatNumber(total)}
    </Users>,
    <Bar part={(total ?? 0) / longest} line={line}>
      {measure === 'events' ? formatPercent(total ?? 0, all, 1) : undefined}
    </Bar>,
    ...(labelsBefore === undefined
      ? []
      : [
          <Users of={{ kind: 'segment', name, isBefore: true }} open={actions.openUsers}>
            {totalBefore === undefined ? '–' : formatNumber(totalBefore)}
          </Users>,
          <Delta text={formatChange(total, totalBefore) ?? '–'} />,
        ]),
  ]);
  const compared = labelsBefore === undefined ? [] : [formatPeriodBefore(parameters), 'Change'];
  return <Grid label={TITLES[measure]} columns={[...columns, ...compared]} rows={rows} />;
}
