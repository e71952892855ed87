import { useRef, useState } from 'preact/hooks';
import { formatInteger, pluralize, truncate } from '../../base/strings.ts';
import type { AnswerProps } from './answer.ts';
import { Grid, Headline, Name, Nothing } from './parts.tsx';

interface PeoplePage {
  readonly results: readonly {
    readonly $distinct_id: string;
    readonly $properties: Readonly<Record<string, unknown>>;
  }[];
  readonly page: number;
  readonly page_size: number;
  readonly session_id: string;
  readonly total: number;
}

/** Rows per page of the table. A response holds several of these pages. */
const ROWS = 50;

/** Columns for the most frequent properties, and characters of a value. */
const MAX_COLUMNS = 12;
const MAX_VALUE_LENGTH = 60;

/** Shows people in a table, page by page. */
export function PeopleAnswer({ answer, actions: { loadPage, openUser }, note }: AnswerProps) {
  const { page, page_size, results, session_id, total } = answer.result as PeoplePage;
  const length = page_size % ROWS === 0 ? ROWS : page_size;
  /** The first row that is shown of a session; and the one that is shown once its page has been loaded. */
  const [position, setPosition] = useState({ session_id, from: 0 });
  const next = useRef(0);
  const isSame = position.session_id === session_id;
  const from = !isSame ? 0 : Math.floor(position.from / page_size) === page ? position.from : next.current;
  const start = from - page * page_size;
  const shown = results.slice(start, start + length);
  const turn = (pages: number) => {
    next.current = from + pages * length;
    const nextPage = Math.floor(next.current / page_size);
    setPosition({ session_id, from: nextPage === page ? next.current : from });
    if (nextPage !== page) loadPage?.(Object.entries({ session_id, page: String(nextPage) }));
  };
  const names = findMostFrequent(results.flatMap(({ $properties }) => Object.keys($properties)));
  const rows = shown.map(({ $distinct_id: id, $properties }) => [
    openUser === undefined ? (
      <Value value={id} />
    ) : (
      <button type="button" class="link" title="Show the events of this user" onClick={() => openUser(id)}>
        <Value value={id} />
      </button>
    ),
    ...names.map((name) => <Value value={$properties[name]} />),
  ]);
  return (
    <>
      <Headline number={formatInteger(total)} words={total === 1 ? 'person' : 'people'} note={note} />
      {total === 0 ? (
        <Nothing>
          {answer.parameters.has('where') || answer.parameters.has('distinct_ids')
            ? 'No people match. Remove a condition, or check the spelling of its values.'
            : 'The data has no profiles of people. A click on a number of users in another tab lists them.'}
        </Nothing>
      ) : (
        <>
          <Grid label="People" kind="texts" columns={['User', ...names]} rows={rows} />
          <nav class="row people-pages" aria-label="Pages">
            <span role="status">
              {formatInteger(from + 1)}–{formatInteger(from + shown.length)} of {pluralize(total, 'user')}
            </span>
            <button type="button" disabled={from === 0} onClick={() => turn(-1)}>
              ← Previous
            </button>
            <button type="button" disabled={from + shown.length >= total} onClick={() => turn(1)}>
              Next →
            </button>
          </nav>
        </>
      )}
    </>
  );
}

function Value({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return <Name text={truncate(text, MAX_VALUE_LENGTH)} />;
}

function findMostFrequent(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, MAX_COLUMNS).map(([name]) => name);
}
