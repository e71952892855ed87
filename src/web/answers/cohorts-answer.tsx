import { useState } from 'preact/hooks';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import type { AnswerProps } from './answer.ts';
import { formatSpan, moveBucket, parseTime, readBucket } from './days.ts';
import { formatPercent } from './numbers.ts';
import { Grid, Headline, Name, Nothing, Users } from './parts.tsx';
import { Plot } from './plot.tsx';
import { type Cohorts, countColumns, findShare, readFrequency, readRetention } from './read-cohorts.ts';
import { nameNumber } from './read-series.ts';

interface CohortsProps extends AnswerProps {
  readonly cohorts: readonly Cohorts[];
  /** Completes the share of the headline, which is that of the second column. */
  readonly words: string;
  /** Said if no cohort has the headline yet, and if there are no users. */
  readonly unknown: string;
  readonly empty: string;
  /** The titles of the first column of the table and of those of shares, and of the latter in full. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly points: readonly string[];
}

/** Shows how many users of each cohort come back. */
export function RetentionAnswer(props: AnswerProps) {
  const { parameters } = props.answer;
  const bucket = readBucket(parameters);
  const cohorts = readRetention(props.answer);
  const [unit, days] = 'unit' in bucket ? [bucket.unit, 1] : ['day', bucket.days];
  const numbers = Array.from({ length: countColumns(cohorts) }, (_, at) => at * days);
  const first = parameters.get('retention_type') === 'compounded' ? undefined : parameters.get('born_event');
  return (
    <CohortsAnswer
      {...props}
      cohorts={cohorts}
      // Recurring users are in several cohorts.
      words={`come back ${unit === 'day' ? 'on' : 'in'} ${unit} ${numbers[1] ?? 0}${first === undefined ? ', on average' : ''}`}
      unknown="for every cohort, it is too early to say"
      empty="Nobody starts on these days. Try more days, or another first event."
      title={first === undefined ? 'Active in' : `First ${first}`}
      columns={numbers.map((number) => (number === 0 ? `${unit} 0` : String(number)))}
      points={numbers.map((number) => `${unit} ${number}`)}
    />
  );
}

/** Shows in how many hours or days of a period users are active. */
export function FrequencyAnswer(props: AnswerProps) {
  const unit = props.answer.parameters.get('addiction_unit') ?? 'hour';
  const period = props.answer.parameters.get('unit') ?? 'day';
  const cohorts = readFrequency(props.answer);
  const points = Array.from(
    { length: countColumns(cohorts) },
    (_, at) => `${at + 1}${at > 0 ? '+' : ''} ${unit}${at > 0 ? 's' : ''}`,
  );
  const place = `${unit === 'day' ? 'on' : 'in'} ${points.length > 1 ? '2 or more' : 'one'} ${unit}${points.length > 1 ? 's' : ''}`;
  return (
    <CohortsAnswer
      {...props}
      cohorts={cohorts}
      words={`of users are active ${place} of a ${period}, on average`}
      unknown={`no ${period} is over yet`}
      empty="Nobody is active on these days. Try more days, or another event."
      title="Active in"
      columns={points.map((point, at) => (at === 0 ? point : `${at + 1}+`))}
      points={points}
    />
  );
}

function CohortsAnswer(props: CohortsProps) {
  const { answer, actions, note, cohorts, words, unknown, empty, title, columns, points } = props;
  const { parameters } = answer;
  const [chosen, setChosen] = useState<string>();
  const shown = cohorts.find(({ segment }) => segment === chosen) ?? cohorts[0];
  const share = shown && findShare(shown, Math.min(1, columns.length - 1));
  const format = (value: number | null) => (value === null ? '–' : formatPercent(value, 1));
  if (shown === undefined || shown.rows.every(({ size }) => size === 0))
    return [<Headline number="–" words={words} note={note} />, <Nothing>{empty}</Nothing>];
  const lines = cohorts.map((one) => ({
    name: one.segment ?? 'all users',
    values: columns.map((_, at) => findShare(one, at) ?? null),
  }));
  // No cohort is as old as the last columns.
  const known = Math.max(...lines.map(({ values }) => values.findLastIndex((value) => value !== null) + 1));
  const of = shown.segment === undefined ? {} : { segment: shown.segment };
  const select = (date: string, column: number) => ({ kind: 'cohort', date, column, ...of }) as const;
  const rows = shown.rows.map(({ date, size, cells }) => [
    formatCohort(date, parameters),
    <Users of={select(date, -1)} open={actions.openUsers}>
      {formatInteger(size)}
    </Users>,
    ...cells.map(({ count, state }, column) => {
      if (state === 'future') return <span class="cohorts-open">{'\u00a0'}</span>;
      return (
        <span
          class={state === 'over' ? 'cohorts-over' : 'cohorts-open'}
          style={{ '--part': count / size || 0 }}
          title={`${formatInteger(count)} of ${formatInteger(size)} users`}
        >
          <Users of={select(date, column)} open={actions.openUsers}>
            {formatPercent(count, size)}
            {state === 'running' && ' so far'}
          </Users>
        </span>
      );
    }),
  ]);
  const name = shown.segment === undefined ? [] : [' · ', <Name text={shown.segment} />];
  return (
    <>
      <Headline
        number={format(share ?? null)}
        words={[words, share === undefined && `: ${unknown}`, ...name]}
        note={note}
      />
      {known > 2 && (
        <Plot
          label={`Share of users who ${words.replace(/^of users /, '')}`}
          points={points.slice(0, known)}
          lines={lines}
          format={format}
        />
      )}
      {cohorts.length > 1 && (
        <label class="cohorts-choice">
          <Name text={nameNumber(parameters)} />{' '}
          <select value={shown.segment} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {cohorts.map(({ segment = '' }) => (
              <option value={segment}>{escapeUnprintable(segment)}</option>
            ))}
          </select>
        </label>
      )}
      <Grid label="Cohorts by date" kind="cohorts" columns={[title, 'Users', ...columns]} rows={rows} />
    </>
  );
}

/** Formats the days of a cohort that a request covers. */
function formatCohort(date: string, parameters: ReadonlyMap<string, string>): string {
  const start = parseTime(date);
  const end = moveBucket(moveBucket(start, readBucket(parameters), 1), { days: 1 }, -1);
  const [from, to] = ['from_date', 'to_date'].map((name) => Date.parse(parameters.get(name) ?? ''));
  return formatSpan(Math.max(start, from || start), Math.min(end, to || end));
}
