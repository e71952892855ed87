import type { ComponentChildren } from 'preact';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import { readGroupedProperty } from '../shared/segment-condition.ts';
import type { Answer, AnswerActions } from './answer.ts';
import { chooseTimeTicks, formatBucketTitle, parseTime, readBucket } from './days.ts';
import { formatPercent, formatSigned, formatTimeSpan } from './numbers.ts';
import { BarCell, Disclosure, Headline, Nothing, ScrollRegion, SegmentName, Swatch, UsersNumber } from './parts.tsx';
import { DRAWN_LINES, Plot } from './plot.tsx';
import { readConversions, readWholeFunnel, type WholeFunnel } from './read-funnel.ts';
import { findDays, formatPeriodBefore, nameNumber } from './read-series.ts';

interface FunnelProps {
  readonly answer: Answer;
  readonly actions: AnswerActions;
  readonly note?: ComponentChildren;
}

/** Shows how many users reach each step of a funnel over the whole range, and conversion over time. */
export function FunnelAnswer({ answer, actions, note }: FunnelProps) {
  const { parameters, result, whole = result } = answer;
  const isGrouped = parameters.has('on');
  const funnel = readWholeFunnel(whole, isGrouped);
  const before = readWholeFunnel(answer.wholeBefore, isGrouped);
  const trend = (
    <Disclosure title="Conversion over time">
      {() => <Conversions answer={answer} actions={actions} funnel={funnel} />}
    </Disclosure>
  );
  if (funnel === undefined)
    return (
      <>
        <Headline number="–" words="convert: the days do not add up, because a user can start on several" note={note} />
        {trend}
      </>
    );
  const { steps, segments } = funnel;
  const [first, last] = [steps[0]?.count ?? 0, steps.at(-1)?.count ?? 0];
  const time = steps.reduce((sum, { avg_time: seconds }) => sum + (seconds ?? 0), 0);
  return (
    <>
      <Headline
        number={formatPercent(last, first)}
        words={`convert: ${formatInteger(last)} of ${formatInteger(first)} users`}
        delta={compareConversion(funnel, before, formatPeriodBefore(parameters))}
        note={note ?? (last > 0 && steps.length > 1 ? `${formatTimeSpan(time)} on average` : undefined)}
      />
      {first === 0 ? (
        <Nothing>Nobody takes the first step on these days. Try more days, or another first step.</Nothing>
      ) : (
        <Steps funnel={funnel} before={before} openUsers={actions.openUsers} />
      )}
      {segments.length > 0 && <SegmentSteps funnel={funnel} answer={answer} actions={actions} />}
      {Object.keys(answer.result).length > 0 && first > 0 && trend}
    </>
  );
}

/** Compares conversions of two periods, in percentage points. */
function compareConversion(funnel: WholeFunnel, before: WholeFunnel | undefined, since: string) {
  const [now, then] = [getConversion(funnel), before && getConversion(before)];
  if (now === undefined || then === undefined) return undefined;
  const points = 100 * (now - then);
  return { text: `${formatSigned(points)} points on ${since}`, isGood: points === 0 ? undefined : points > 0 };
}

function getConversion({ steps }: WholeFunnel): number | undefined {
  const first = steps[0]?.count ?? 0;
  return first === 0 ? undefined : (steps.at(-1)?.count ?? 0) / first;
}

/** Draws a bar for each step. The shaded part above has left. */
function Steps({
  funnel: { steps },
  before,
  openUsers,
}: {
  readonly funnel: WholeFunnel;
  readonly before: WholeFunnel | undefined;
  readonly openUsers: AnswerActions['openUsers'];
}) {
  const first = steps[0]?.count ?? 0;
  return (
    <ol class="funnel">
      {steps.map(({ event, count, avg_time: seconds }, at) => {
        const previous = steps[at - 1]?.count;
        const then = before?.steps[at]?.count;
        const firstThen = before?.steps[0]?.count ?? 0;
        return (
          <li key={at} class="funnel-step">
            <h3>
              {at + 1} · <bdi>{escapeUnprintable(event)}</bdi>
            </h3>
            <div class="funnel-column" aria-hidden="true">
              {previous !== undefined && <i class="funnel-left" style={{ '--part': previous / first }} />}
              <i class="funnel-bar" style={{ '--part': count / first }} />
              {then !== undefined && firstThen > 0 && (
                <i class="funnel-before" style={{ '--part': then / firstThen }} />
              )}
            </div>
            <p class="funnel-numbers">
              <strong>
                <UsersNumber
                  users={{ kind: 'step', step: at, dropped: false }}
                  open={openUsers}
                  label="users reach this step"
                >
                  {formatInteger(count)}
                </UsersNumber>
              </strong>
              <span>
                {previous === undefined ? (
                  'everyone who starts'
                ) : (
                  <StepShares count={count} previous={previous} first={first} at={at} />
                )}
                {seconds !== null && previous !== undefined && count > 0 && ` · after ${formatTimeSpan(seconds)}`}
              </span>
            </p>
            {previous !== undefined && previous > count && (
              <p class="funnel-drop">
                <UsersNumber
                  users={{ kind: 'step', step: at - 1, dropped: true }}
                  open={openUsers}
                  label="after the step before"
                >
                  {formatInteger(previous - count)} leave
                </UsersNumber>
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function StepShares({
  count,
  previous,
  first,
  at,
}: {
  readonly count: number;
  readonly previous: number;
  readonly first: number;
  readonly at: number;
}) {
  if (at === 1) return <>{formatPercent(count, previous)}</>;
  return (
    <>
      {formatPercent(count, previous)} of these, {formatPercent(count, first)} of all
    </>
  );
}

/** Shows the steps of each segment, with a bar for each. */
function SegmentSteps({
  funnel: { steps, segments },
  answer: { parameters },
  actions: { filterBySegment, openUsers },
}: FunnelProps & { readonly funnel: WholeFunnel }) {
  const filter = readGroupedProperty(parameters.get('on') ?? '') === undefined ? undefined : filterBySegment;
  return (
    <ScrollRegion label="Segments">
      <table class="grid">
        <caption class="unseen">Users of each segment at each step</caption>
        <thead>
          <tr>
            <th scope="col">
              <bdi>{escapeUnprintable(nameNumber(parameters))}</bdi>
            </th>
            {steps.map(({ event }, at) => (
              <th key={at} scope="col" class="number">
                {at + 1} · <bdi>{escapeUnprintable(event)}</bdi>
              </th>
            ))}
            <th scope="col" class="number">
              Convert
            </th>
          </tr>
        </thead>
        <tbody>
          {segments.map(([name, found], row) => (
            <tr key={name}>
              <th scope="row">
                <Swatch line={row + 1} drawn={DRAWN_LINES} />
                <SegmentName name={name} filter={filter} />
              </th>
              {found.map(({ count }, at) => (
                <BarCell key={at} part={count} longest={found[0]?.count ?? 0} line={row + 1}>
                  <UsersNumber
                    users={{ kind: 'step', step: at, dropped: false, segment: name }}
                    open={openUsers}
                    label={`users of ${name}`}
                  >
                    {formatInteger(count)}
                  </UsersNumber>
                </BarCell>
              ))}
              <td class="number">
                <strong>{formatPercent(found.at(-1)?.count ?? 0, found[0]?.count ?? 0)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Seconds of a unit of a conversion window. */
const WINDOW_UNITS = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** Draws the conversion of those who start in each bucket. Some may still convert, if their time is not over. */
function Conversions({ answer, actions, funnel }: FunnelProps & { readonly funnel: WholeFunnel | undefined }) {
  const { parameters, today } = answer;
  const bucket = readBucket(parameters);
  const { dates, lines } = readConversions(
    answer,
    (funnel?.segments ?? []).map(([name]) => name),
    parameters.has('on'),
  );
  const unit = WINDOW_UNITS[(parameters.get('length_unit') ?? 'day') as keyof typeof WINDOW_UNITS];
  const timeToConvert = Number(parameters.get('length') ?? 14) * unit * 1000;
  const times = dates.map(parseTime);
  const openFrom = times.findIndex((time) => time + timeToConvert >= parseTime(today));
  return (
    <>
      <Plot
        label="Conversion by the date of the first step"
        points={dates.map((date) => formatBucketTitle(date, bucket, today))}
        lines={lines}
        chooseTicks={(step) => chooseTimeTicks(times, 60 / step)}
        format={(value) => (value === null ? '–' : formatPercent(value, 1))}
        formatAxis={(value) => formatPercent(value, 1)}
        openFrom={openFrom === -1 ? undefined : openFrom}
        onZoom={(first, last) => actions.zoom(...findDays(dates, first, last))}
      />
      {openFrom !== -1 && <p class="card-hint">Dashed: users still have time to convert.</p>}
    </>
  );
}
