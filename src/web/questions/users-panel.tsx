import { useEffect, useRef, useState } from 'preact/hooks';
import { trace } from '../../api/explain.ts';
import { check } from '../../api/expressions.ts';
import { isJsonObject } from '../../base/json.ts';
import {
  escapeUnprintable,
  formatInteger,
  formatProperty,
  pluralize,
  quoteString,
  truncate,
} from '../../base/strings.ts';
import { why } from '../../lang/explain/why.ts';
import { type Properties, showValue, type Value } from '../../lang/value.ts';
import { catchApiError } from '../shared/catch-api-error.ts';
import { Icon } from '../shared/icons.tsx';
import { ApiError } from '../shared/query-api.ts';
import { saveFile } from '../shared/save-file.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { listUsers, MAX_USERS } from './list-users.ts';
import type { Opened, QuestionModel } from './question-model.ts';
import { getNamedValue } from './state.ts';

/** Users and events that are shown at first, and with each click on “More”. */
const SHOWN = 100;

/** Limit of a title in characters. */
const MAX_TITLE = 120;

/** The most events of a user that are read. */
const MAX_EVENTS = 2_000;

interface PanelProps {
  readonly model: QuestionModel;
  readonly opened: Opened;
}

/** The users behind a number, or the events of one user. */
export function UsersPanel({ model, opened }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The number that was clicked is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <article class="card answer users">
      <header class="row card-head">
        <button type="button" class="icon-button" aria-label="Back to the answer" onClick={() => model.open(undefined)}>
          <Icon name="back" />
        </button>
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{escapeUnprintable(truncate(opened.kind === 'users' ? opened.title : opened.id, MAX_TITLE))}</bdi>
        </h2>
      </header>
      {opened.kind === 'users' ? <UserList model={model} opened={opened} /> : <Timeline model={model} id={opened.id} />}
    </article>
  );
}

function UserList({ model, opened }: PanelProps & { readonly opened: Opened & { readonly kind: 'users' } }) {
  const [shown, setShown] = useState(SHOWN);
  const [state, api, names] = [model.shown.value, model.api.value, model.names.value];
  const isKnown = model.data.value !== undefined;
  const users = useLoaded(
    () =>
      isKnown ? catchApiError(listUsers(api, names, state, opened.selection, model.userProperty.value)) : undefined,
    [api, state, opened.selection, isKnown],
  );
  if (users === undefined) return <p class="card-hint">Loading …</p>;
  if (users instanceof ApiError) return <p class="card-hint error">{users.message}</p>;
  const isCut = users.length >= MAX_USERS;
  return (
    <>
      <p class="card-hint">
        {isCut ? `The first ${formatInteger(users.length)} users.` : pluralize(users.length, 'user')}{' '}
        {users.length > 0 && (
          <button
            type="button"
            class="link"
            onClick={() => saveFile('users.txt', new Blob([users.join('\n')], { type: 'text/plain' }))}
          >
            Save as a file
          </button>
        )}
      </p>
      <ul class="user-list">
        {users.slice(0, shown).map((id) => (
          <li key={id}>
            <button type="button" class="link" onClick={() => model.open({ kind: 'user', id })}>
              <bdi>{escapeUnprintable(truncate(id, 60))}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {users.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + SHOWN)}>
          More
        </button>
      )}
    </>
  );
}

/** An event of a user as an export has it. */
interface ExportedEvent {
  readonly event: string;
  readonly properties: Properties;
}

function Timeline({ model, id }: { readonly model: QuestionModel; readonly id: string }) {
  const [shown, setShown] = useState(SHOWN);
  const api = model.api.value;
  const isKnown = model.data.value !== undefined;
  const lines = useLoaded(() => {
    if (!isKnown) return undefined;
    const where = `${formatProperty('properties', model.userProperty.value)} == ${quoteString(id)}`;
    return catchApiError(api.readLines('export', [['where', where]], MAX_EVENTS));
  }, [api, id, isKnown]);
  if (lines === undefined) return <p class="card-hint">Loading …</p>;
  if (lines instanceof ApiError) return <p class="card-hint error">{lines.message}</p>;
  const events = lines.flatMap((line): ExportedEvent[] => {
    const event: unknown = JSON.parse(line);
    return isJsonObject(event) ? [event as unknown as ExportedEvent] : [];
  });
  const where = getNamedValue(model.shown.value, 'where');
  const explain = where.trim() !== '' && check(where, { use: 'where' }).ok;
  return (
    <>
      <p class="card-hint">
        {events.length >= MAX_EVENTS
          ? `The first ${formatInteger(events.length)} events.`
          : pluralize(events.length, 'event')}
      </p>
      <ol class="timeline">
        {events.slice(0, shown).map((event, at) => (
          <TimelineEvent key={at} event={event} where={explain ? where : undefined} />
        ))}
      </ol>
      {events.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + SHOWN)}>
          More
        </button>
      )}
    </>
  );
}

/** Properties that every event has, or that the rest of its line says. */
const SAID: ReadonlySet<string> = new Set(['time', 'distinct_id', '$insert_id', 'token']);

function TimelineEvent({
  event: { event, properties },
  where,
}: {
  readonly event: ExportedEvent;
  readonly where: string | undefined;
}) {
  const { time } = properties;
  const values = Object.entries(properties)
    .filter(([name]) => !SAID.has(name))
    .map(([name, value]) => `${name}: ${showValue(value as Value)}`);
  const traced = where === undefined ? undefined : trace(where, properties, undefined, { use: 'where' });
  const isMatch = traced !== undefined && 'value' in traced && traced.value === true;
  return (
    <li>
      <details>
        <summary>
          {typeof time === 'number' && (
            <time>{new Date(time * 1000).toISOString().slice(0, 19).replace('T', ' ')}</time>
          )}{' '}
          <b>
            <bdi>{escapeUnprintable(event)}</bdi>
          </b>{' '}
          {traced !== undefined && (
            <span class={isMatch ? 'matches' : 'muted'}>{isMatch ? '✓ matches the filter' : '✗ does not match'}</span>
          )}{' '}
          <span class="muted">
            <bdi>{escapeUnprintable(truncate(values.join(', '), 120))}</bdi>
          </span>
        </summary>
        {traced !== undefined && (
          <ul class="reasons">
            {why(traced).map(({ message }) => (
              <li key={message}>{escapeUnprintable(message)}</li>
            ))}
          </ul>
        )}
        <ul>
          {values.map((value) => (
            <li key={value}>
              <bdi>{escapeUnprintable(truncate(value, 400))}</bdi>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
