import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { escapeUnprintable, formatInteger, pluralize, truncate } from '../../base/strings.ts';
import type { Answer, AnswerActions } from './answer.ts';
import { Headline, Nothing, ScrollRegion } from './parts.tsx';

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
export function PeopleAnswer({
  answer,
  actions: { loadPage, openUser },
  note,
}: {
  readonly answer: Answer;
  readonly actions: AnswerActions;
  readonly note?: ComponentChildren;
}) {
  const { page, page_size, results, session_id, total } = answer.result as PeoplePage;
  const rows = page_size % ROWS === 0 ? ROWS : page_size;
  /** The first row of the page that is shown, and of the one that is being loaded, in a session. */
  const [position, setPosition] = useState({ session_id, from: 0 });
  const next = useRef(0);
  const isSame = position.session_id === session_id;
  const isLoaded = isSame && Math.floor(position.from / page_size) === page;
  const from = isLoaded ? position.from : isSame ? next.current : 0;
  const shown = results.slice(from - page * page_size, from - page * page_size + rows);
  const turn = (pages: number) => {
    next.current = from + pages * rows;
    const nextPage = Math.floor(next.current / page_size);
    if (nextPage === page) setPosition({ session_id, from: next.current });
    else {
      setPosition({ session_id, from });
      loadPage(Object.entries({ session_id, page: String(nextPage) }));
    }
  };
  const names = findMostFrequent(results.flatMap(({ $properties }) => Object.keys($properties)));
  return (
    <>
      <Headline number={formatInteger(total)} words={total === 1 ? 'person' : 'people'} note={note} />
      {total === 0 ? (
        <Nothing>No people match. Remove a condition, or check the spelling of its values.</Nothing>
      ) : (
        <>
          <ScrollRegion label="People">
            <table class="grid people">
              <caption class="unseen">People</caption>
              <thead>
                <tr>
                  <th scope="col">User</th>
                  {names.map((name) => (
                    <th key={name} scope="col">
                      <bdi>{escapeUnprintable(name)}</bdi>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map(({ $distinct_id: id, $properties }) => (
                  <tr key={id}>
                    <th scope="row">
                      {openUser === undefined ? (
                        <Value text={id} />
                      ) : (
                        <button
                          type="button"
                          class="link"
                          title="Show the events of this user"
                          onClick={() => openUser(id)}
                        >
                          <Value text={id} />
                        </button>
                      )}
                    </th>
                    {names.map((name) => (
                      <td key={name}>
                        <Value text={formatProperty($properties[name])} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          <nav class="people-pages" aria-label="Pages">
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

function Value({ text }: { readonly text: string }) {
  return <bdi>{escapeUnprintable(truncate(text, MAX_VALUE_LENGTH))}</bdi>;
}

function findMostFrequent(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COLUMNS)
    .map(([name]) => name);
}

function formatProperty(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
