import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import type { Answer, AnswerActions } from './answer.ts';
import { formatSpan, moveBucket, parseTime, readBucket } from './days.ts';
import { formatPercent } from './numbers.ts';
import { Headline, Nothing, ScrollRegion, SegmentChoice, UsersNumber } from './parts.tsx';
import { Plot } from './plot.tsx';
import {
  type CohortCell,
  type CohortOfDate,
  type Cohorts,
  countColumns,
  findShare,
  readFrequency,
  readRetention,
} from './read-cohorts.ts';
import { nameNumber } from './read-series.ts';

interface CohortsProps {
  readonly answer: Answer;
  readonly actions: AnswerActions;
  readonly note?: ComponentChildren;
}

/** How to word and draw one kind of cohorts. */
interface CohortsWording {
  readonly cohorts: readonly Cohorts[];
  /** The column of the headline. */
  readonly column: number;
  /** Completes the share of the headline. */
  readonly words: string;
  readonly unknown: string;
  readonly empty: string;
  /** The title of the first column of the table, and of a column of shares. */
  readonly rowTitle: string;
  readonly formatColumn: (at: number) => string;
  readonly label: string;
}

/** Shows how many users of each cohort come back. */
export function RetentionAnswer({ answer, ...props }: CohortsProps) {
  const { parameters } = answer;
  const bucket = readBucket(parameters);
  const cohorts = readRetention(answer);
  const column = Math.min(1, countColumns(cohorts) - 1);
  const formatColumn = (at: number) =>
    'days' in bucket && bucket.days > 1 ? `day ${at * bucket.days}` : `${'unit' in bucket ? bucket.unit : 'day'} ${at}`;
  const born = parameters.get('born_event');
  const isBirth = parameters.get('retention_type') !== 'compounded';
  return (
    <CohortsAnswer
      {...props}
      answer={answer}
      cohorts={cohorts}
      column={column}
      words={`come back in ${formatColumn(column)}`}
      unknown={`come back in ${formatColumn(column)}: it is not over yet for any cohort`}
      empty="Nobody starts on these days. Try more days, or another first event."
      rowTitle={isBirth && born !== undefined ? `First ${born}` : 'Active in'}
      formatColumn={formatColumn}
      label="Share of users who come back"
    />
  );
}

/** Shows in how many hours or days of a period users are active. */
export function FrequencyAnswer({ answer, ...props }: CohortsProps) {
  const unit = answer.parameters.get('addiction_unit') ?? 'hour';
  const period = answer.parameters.get('unit') ?? 'day';
  const cohorts = readFrequency(answer);
  const column = Math.min(1, countColumns(cohorts) - 1);
  const formatColumn = (at: number) => (at === 0 ? `1 ${unit}` : `${at + 1}+`);
  const words =
    column === 0
      ? `of users are active in 1 ${unit} of a ${period}`
      : `of users are active in 2 or more ${unit}s of a ${period}`;
  return (
    <CohortsAnswer
      {...props}
      answer={answer}
      cohorts={cohorts}
      column={column}
      words={words}
      unknown={`${words}: no ${period} is over yet`}
      empty="Nobody is active on these days. Try more days, or another event."
      rowTitle="Active in"
      formatColumn={formatColumn}
      label={`Share of users by ${unit}s in which they are active`}
    />
  );
}

function CohortsAnswer({
  answer,
  actions: { openUsers },
  note,
  cohorts,
  column,
  words,
  unknown,
  empty,
  rowTitle,
  formatColumn,
  label,
}: CohortsProps & CohortsWording) {
  const { parameters } = answer;
  const [chosen, setChosen] = useState<string>();
  const names = cohorts.map(({ segment = '' }) => segment);
  const shown = cohorts.find(({ segment }) => segment === chosen) ?? cohorts[0];
  const share = shown && findShare(shown, column);
  const width = countColumns(cohorts);
  const columns = Array.from({ length: width }, (_, at) => formatColumn(at));
  const isEmpty = shown === undefined || shown.rows.every(({ size }) => size === 0);
  const lines = cohorts.map((one) => ({
    name: one.segment ?? 'all users',
    values: columns.map((_, at) => findShare(one, at) ?? null),
  }));
  const format = (value: number | null) => (value === null ? '–' : formatPercent(value, 1));
  return (
    <>
      <Headline
        number={share === undefined ? '–' : formatPercent(share, 1)}
        words={
          <>
            {share === undefined ? unknown : words}
            {shown?.segment !== undefined && (
              <>
                {' '}
                · <bdi>{escapeUnprintable(shown.segment)}</bdi>
              </>
            )}
          </>
        }
        note={note}
      />
      {isEmpty ? (
        <Nothing>{empty}</Nothing>
      ) : (
        <>
          {width > 2 && (
            <Plot
              label={label}
              points={columns}
              lines={lines}
              chooseTicks={(step) => {
                const every = Math.max(1, Math.ceil(60 / step));
                return columns.flatMap((text, at) => (at % every === 0 ? [{ at, text }] : []));
              }}
              format={format}
              formatAxis={format}
            />
          )}
          <SegmentChoice
            label={nameNumber(parameters)}
            choices={names}
            value={shown.segment ?? ''}
            onChange={setChosen}
          />
          <ScrollRegion label="Cohorts">
            <table class="cohorts">
              <caption class="unseen">Cohorts by date</caption>
              <thead>
                <tr>
                  <th scope="col">
                    <bdi>{escapeUnprintable(rowTitle)}</bdi>
                  </th>
                  <th scope="col">Users</th>
                  {columns.map((title, at) => (
                    <th key={title} scope="col">
                      {at === 0 ? title : title.replace(/^\D+ /, '')}
                      <span class="unseen">{at === 0 ? '' : ` ${title}`}</span>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.rows.map((row) => (
                  <tr key={row.date}>
                    <th scope="row">{formatCohort(row, parameters)}</th>
                    <td>{formatInteger(row.size)}</td>
                    {row.cells.map((cell, at) => (
                      <Cell
                        key={columns[at]}
                        cell={cell}
                        row={row}
                        column={at}
                        segment={shown.segment}
                        openUsers={openUsers}
                      />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </>
      )}
    </>
  );
}

function Cell({
  cell: { count, state },
  row: { date, size },
  column,
  segment,
  openUsers,
}: {
  readonly cell: CohortCell;
  readonly row: CohortOfDate;
  readonly column: number;
  readonly segment: string | undefined;
  readonly openUsers: AnswerActions['openUsers'];
}) {
  if (state === 'future')
    return (
      <td class="cohorts-future">
        <span class="unseen">not yet</span>
      </td>
    );
  const share = size === 0 ? 0 : count / size;
  const users = { kind: 'cohort', date, column, ...(segment !== undefined && { segment }) } as const;
  return (
    <td
      class={state === 'running' ? 'cohorts-running' : 'cohorts-cell'}
      style={{ '--part': share }}
      title={`${formatInteger(count)} of ${formatInteger(size)} users`}
    >
      <UsersNumber users={users} open={openUsers} label={`${formatInteger(count)} users`}>
        {formatPercent(count, size)}
        {state === 'running' && ' so far'}
      </UsersNumber>
    </td>
  );
}

/** Formats the days of a cohort that a request covers. */
function formatCohort({ date }: CohortOfDate, parameters: ReadonlyMap<string, string>): string {
  const start = parseTime(date);
  const end = moveBucket(moveBucket(start, readBucket(parameters), 1), { days: 1 }, -1);
  const [from, to] = [parameters.get('from_date'), parameters.get('to_date')].map((day) => Date.parse(day ?? ''));
  return formatSpan(Math.max(start, from || start), Math.min(end, to || end));
}
