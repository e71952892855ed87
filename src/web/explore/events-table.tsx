import { useEffect, useState } from 'preact/hooks';
import { trace } from '../../api/explain.ts';
import { check } from '../../api/expressions.ts';
import { escapeUnprintable, formatInteger, quoteString, truncate } from '../../base/strings.ts';
import { why } from '../../lang/explain/why.ts';
import { readProperty, showValue } from '../../lang/value.ts';
import { CHOICES, type Choice, type EventRow, type EventsResult, type Page } from '../events/messages.ts';
import { formatLocalTime } from '../shared/local-time.ts';
import { type ExploreModel, PARTS } from './explore-model.ts';

/** Events on one page of the table. */
const ROWS = 50;

/** Columns for properties that the expressions read. */
const MAX_COLUMNS = 4;

/** Characters of a value in a cell, and of the cell with all other properties. */
const MAX_VALUE_LENGTH = 40;
const MAX_REST_LENGTH = 160;

const TITLES: Readonly<Record<Choice, string>> = { matching: 'matching', others: 'not matching', all: 'all' };

/** The events in a table, page by page. A row in focus or under the pointer explains why it matches or not. */
export function EventsTable({ model, result }: { readonly model: ExploreModel; readonly result: EventsResult }) {
  const { choice, from } = model.listing.value;
  const setFrom = (next: number) => {
    model.listing.value = { choice, from: next };
  };
  const [page, setPage] = useState<Page>();
  const [explained, setExplained] = useState<EventRow>();
  useEffect(() => {
    let isNeeded = true;
    void model.client.list(choice, from, ROWS).then((found) => {
      if (!isNeeded) return;
      setPage(found);
      setExplained(undefined);
    });
    return () => {
      isNeeded = false;
    };
  }, [result, choice, from]);
  useEffect(() => {
    if (explained === undefined) return;
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && setExplained(undefined);
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [explained]);
  if (page === undefined) return null;
  const { rows, count } = page;
  const reads = listReads(result).slice(0, MAX_COLUMNS);
  const shown = new Set(reads.map(({ name }) => name));
  const columns = ['Event', 'Filter', 'Name', 'Time', 'User', ...reads.map(({ name }) => name), 'Other properties'];
  return (
    <>
      <div class="row controls">
        <label>
          Show{' '}
          <select
            value={choice}
            onInput={({ currentTarget }) => {
              model.listing.value = { choice: CHOICES[currentTarget.selectedIndex] ?? 'matching', from: 0 };
            }}
          >
            {CHOICES.map((one) => (
              <option key={one} value={one}>
                {TITLES[one]}
              </option>
            ))}
          </select>{' '}
          events
        </label>
        <span class="pages">
          <span role="status">
            {count === 0
              ? 'No events'
              : `${formatInteger(from + 1)}–${formatInteger(from + rows.length)} of ${formatInteger(count)}`}
          </span>
          <button type="button" class="quiet" disabled={from === 0} onClick={() => setFrom(from - ROWS)}>
            ← Previous
          </button>
          <button
            type="button"
            class="quiet"
            disabled={from + rows.length >= count}
            onClick={() => setFrom(from + ROWS)}
          >
            Next →
          </button>
        </span>
      </div>
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached with the keyboard.
        <section class="scroll events" tabIndex={0} aria-label="Table of events">
          <table onMouseLeave={() => setExplained(undefined)}>
            <caption class="unseen">Events: {TITLES[choice]}</caption>
            <thead>
              <tr>
                {columns.map((title, at) => (
                  <th key={at} scope="col">
                    <bdi>{escapeUnprintable(title)}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={row.index}
                  row={row}
                  timeZone={result.query.timeZone}
                  cells={reads.map(({ scope, name }) =>
                    showValue(readProperty(scope === 'user' ? row.user : row.properties, name)),
                  )}
                  rest={formatOtherProperties(row, shown)}
                  isSelected={row.index === model.selected.value?.index}
                  reason={row === explained ? explainMatch(result, row) : undefined}
                  onExplain={(isWanted) => setExplained(isWanted ? row : undefined)}
                  onSelect={() => {
                    model.selected.value = row;
                  }}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

/** Returns the properties that the expressions of a result read, each once. */
function listReads({ query }: EventsResult) {
  const sources = PARTS.map((part) => query[part]).filter((source) => source.trim() !== '');
  const reads = sources.flatMap((source) => check(source).properties);
  return [...new Map(reads.map((read) => [JSON.stringify([read.scope === 'user', read.name]), read])).values()];
}

interface RowProps {
  readonly row: EventRow;
  readonly timeZone: string;
  readonly cells: readonly string[];
  readonly rest: string;
  readonly isSelected: boolean;
  readonly reason: string | undefined;
  readonly onExplain: (isWanted: boolean) => void;
  readonly onSelect: () => void;
}

function Row({ row, timeZone, cells, rest, isSelected, reason, onExplain, onSelect }: RowProps) {
  const known = [
    formatMatch(row.matches),
    row.event ?? '',
    row.time === undefined ? '' : formatLocalTime(row.time, timeZone),
    row.distinctId ?? '',
  ];
  return (
    <tr
      data-index={row.index}
      class={`${row.matches === true ? 'in' : 'out'}${isSelected ? ' selected' : ''}`}
      onClick={onSelect}
      onMouseEnter={() => onExplain(true)}
    >
      <th scope="row">
        <button
          type="button"
          class="number"
          aria-pressed={isSelected}
          aria-describedby={reason === undefined ? undefined : 'tip'}
          onFocus={() => onExplain(true)}
          onBlur={() => onExplain(false)}
        >
          #{row.index + 1}
        </button>
        {reason !== undefined && (
          <div role="tooltip" id="tip" class="tip">
            {reason}
          </div>
        )}
      </th>
      {[...known, ...cells].map((text, at) => (
        <td key={at}>
          <bdi>{escapeUnprintable(truncate(text, MAX_VALUE_LENGTH))}</bdi>
        </td>
      ))}
      <td class="muted">
        <bdi>{escapeUnprintable(truncate(rest, MAX_REST_LENGTH))}</bdi>
      </td>
    </tr>
  );
}

/** Explains why the filter of a result is true or false for an event. */
function explainMatch({ query: { where, now, timeZone } }: EventsResult, { properties, user }: EventRow): string {
  if (where.trim() === '') return 'There is no filter: every event matches.';
  return why(trace(where, properties, user, { use: 'where', now, timeZone }))
    .map(({ message }) => escapeUnprintable(message))
    .join('\n');
}

function formatMatch(matches: boolean | undefined): string {
  if (matches === undefined) return '– not evaluated';
  return matches ? '✓ true' : '✗ false';
}

function formatOtherProperties({ properties }: EventRow, shown: ReadonlySet<string>): string {
  const names = Object.keys(properties).filter((name) => !shown.has(name) && name !== 'time' && name !== 'distinct_id');
  const entries: string[] = [];
  for (let length = 0; names.length > 0 && length < MAX_REST_LENGTH; ) {
    const name = names.shift() ?? '';
    const entry = `${quoteString(name)}: ${truncate(showValue(readProperty(properties, name)), MAX_VALUE_LENGTH)}`;
    entries.push(entry);
    length += entry.length;
  }
  return entries.join(', ');
}
