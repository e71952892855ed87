import { formatInteger } from '../../base/strings.ts';
import { readGroupedProperty } from '../shared/segment-condition.ts';
import type { AnswerProps } from './answer.ts';
import { formatBucketTitle, parseTime, readBucket } from './days.ts';
import { formatPercent, formatSigned, formatTimeSpan } from './numbers.ts';
import { Bar, Disclosure, Grid, Headline, Name, Nothing, SegmentName, Users } from './parts.tsx';
import { Plot } from './plot.tsx';
import { getConversion, readConversions, readWholeFunnel, type WholeFunnel } from './read-funnel.ts';
import { createZoom, formatPeriodBefore, nameNumber } from './read-series.ts';

interface FunnelProps extends AnswerProps {
  readonly funnel: WholeFunnel;
}

/** Shows how many users reach each step of a funnel over the whole range, and conversion over time. */
export function FunnelAnswer(props: AnswerProps) {
  const { answer, note } = props;
  const { parameters, result, whole = result } = answer;
  const isGrouped = parameters.has('on');
  const funnel = readWholeFunnel(whole, isGrouped);
  const before = readWholeFunnel(answer.wholeBefore, isGrouped);
  const { steps, segments } = funnel ?? { steps: [], segments: [] };
  const [first, last] = [steps[0]?.count ?? 0, steps.at(-1)?.count ?? 0];
  const show = (step: number, count: number) => (
    <Users of={{ kind: 'step', step, dropped: false }} open={props.actions.openUsers}>
      {formatInteger(count)}
    </Users>
  );
  const points = before && funnel && 100 * (getConversion(funnel.steps) - getConversion(before.steps));
  const trend = (
    <Disclosure title="Conversion over time">
      {() => <Conversions {...props} segments={segments.map(([name]) => name)} />}
    </Disclosure>
  );
  // Over several dates, a user can start more than once: they do not add up.
  if (funnel === undefined)
    return [<Headline number="–" words="convert: see the conversion of each date" note={note} />, trend];
  return (
    <>
      <Headline
        number={formatPercent(last, first)}
        words={['convert: ', show(steps.length - 1, last), ' of ', show(0, first), ' users']}
        delta={
          points === undefined || Number.isNaN(points)
            ? undefined
            : `${formatSigned(points)} points on ${formatPeriodBefore(parameters)}`
        }
        note={note}
      />
      {first === 0 ? (
        <Nothing>Nobody takes the first step on these days. Try more days, or another first step.</Nothing>
      ) : (
        <>
          <Steps {...props} funnel={funnel} before={before} />
          {before !== undefined && <p class="card-hint">Marks on the bars: {formatPeriodBefore(parameters)}</p>}
          {segments.length > 0 && <SegmentSteps {...props} funnel={funnel} />}
          {whole !== result && trend}
        </>
      )}
    </>
  );
}

/** Draws a bar for each step. The hatched part above has left. */
function Steps({
  funnel: { steps },
  before,
  actions: { openUsers },
}: FunnelProps & { readonly before: WholeFunnel | undefined }) {
  const first = steps[0]?.count ?? 0;
  const firstBefore = before?.steps[0]?.count ?? 0;
  return (
    <ol class="funnel">
      {steps.map(({ event, count, avg_time: seconds }, at) => {
        const previous = steps[at - 1]?.count ?? count;
        return (
          <li>
            <h3 class="funnel-line">
              <span>
                {at + 1} · <Name text={event} />
              </span>
              {at > 0 && <span>{formatPercent(count, first)}</span>}
            </h3>
            <div class="funnel-column" aria-hidden="true">
              <i class="funnel-left" style={{ '--part': previous / first }} />
              <i class="funnel-bar" style={{ '--part': count / first }} />
              {firstBefore > 0 && (
                <i class="funnel-before" style={{ '--part': (before?.steps[at]?.count ?? 0) / firstBefore }} />
              )}
            </div>
            <p class="funnel-line">
              <strong>
                <Users of={{ kind: 'step', step: at, dropped: false }} open={openUsers}>
                  {formatInteger(count)}
                </Users>
              </strong>
              <span>{at === 0 ? 'everyone who starts' : `${formatPercent(count, previous)} of step ${at}`}</span>
            </p>
            {at > 0 && (
              <p class="funnel-line">
                <span>
                  {previous > count && (
                    <Users of={{ kind: 'step', step: at - 1, dropped: true }} open={openUsers}>
                      {formatInteger(previous - count)} leave
                    </Users>
                  )}
                </span>
                <span>{seconds !== null && count > 0 && `after ${formatTimeSpan(seconds)} on average`}</span>
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Shows the steps of each segment, with a bar for each. */
function SegmentSteps({
  funnel: { steps, segments },
  answer: { parameters },
  actions: { filterBySegment, openUsers },
}: FunnelProps) {
  const filter = readGroupedProperty(parameters.get('on') ?? '') === undefined ? undefined : filterBySegment;
  const rows = segments.map(([name, found], row) => [
    <SegmentName name={name} line={row + 1} filter={filter} />,
    ...found.map(({ count }, at) => (
      <Bar part={count / (found[0]?.count ?? 0)} line={row + 1}>
        <Users of={{ kind: 'step', step: at, dropped: false, segment: name }} open={openUsers}>
          {formatInteger(count)}
        </Users>
      </Bar>
    )),
    <strong>{formatPercent(found.at(-1)?.count ?? 0, found[0]?.count ?? 0)}</strong>,
  ]);
  const columns = [nameNumber(parameters), ...steps.map(({ event }, at) => `${at + 1} · ${event}`), 'Convert'];
  return <Grid label="Users of each group at each step" columns={columns} rows={rows} />;
}

/** Milliseconds of the units of a conversion window. */
const WINDOW_UNITS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Draws the conversion of those who start in each bucket. Some may still convert, if their time is not over. */
function Conversions({ answer, actions, segments }: AnswerProps & { readonly segments: readonly string[] }) {
  const { parameters, today } = answer;
  const bucket = readBucket(parameters);
  const { dates, lines } = readConversions(answer, segments);
  const unit = WINDOW_UNITS[(parameters.get('length_unit') ?? 'day') as keyof typeof WINDOW_UNITS];
  const window = Number(parameters.get('length') ?? 14) * unit;
  const times = dates.map(parseTime);
  const openFrom = times.findIndex((time) => time + window >= parseTime(today));
  return (
    <>
      <Plot
        label="Conversion by the date of the first step"
        points={dates.map((date) => formatBucketTitle(date, bucket, today))}
        times={times}
        lines={lines}
        format={(value) => (value === null ? '–' : formatPercent(value, 1))}
        openFrom={openFrom === -1 ? undefined : openFrom}
        onZoom={createZoom(dates, actions.zoom)}
      />
      {openFrom !== -1 && <p class="card-hint">Dashed: some users still have time to convert.</p>}
    </>
  );
}
