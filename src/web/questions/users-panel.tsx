import { useEffect, useRef, useState } from 'preact/hooks';
import { trace } from '../../api/explain.ts';
import { check } from '../../api/expressions.ts';
import { getCurrentTime } from '../../base/current-time.ts';
import { isJsonObject } from '../../base/json.ts';
import { parseJson } from '../../base/parse-json.ts';
import {
  escapeUnprintable,
  formatInteger,
  formatProperty,
  pluralize,
  quoteString,
  truncate,
} from '../../base/strings.ts';
import type { Traced } from '../../lang/explain/trace-tree.ts';
import { why } from '../../lang/explain/why.ts';
import { type Properties, showValue, type Value } from '../../lang/value.ts';
import { formatBucketTitle } from '../answers/days.ts';
import { catchApiError } from '../shared/catch-api-error.ts';
import { Icon } from '../shared/icons.tsx';
import { formatLocalTime } from '../shared/local-time.ts';
import { ApiError, type QueryApi } from '../shared/query-api.ts';
import { saveFile } from '../shared/save-file.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { listUsers, MAX_USERS } from './list-users.ts';
import type { Opened, QuestionModel } from './question-model.ts';
import { getNamedValue } from './state.ts';

/** Users and events that are shown at first, and with each click on “More”. */
const SHOWN = 100;

/** Limit of a title in characters. */
const MAX_TITLE = 120;

/** The most events of a user that are read, and of profiles: events of one user can have several IDs. */
const MAX_EVENTS = 2_000;
const MAX_PROFILES = 1_000;

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

function Timeline({ model, id }: { readonly model: QuestionModel; readonly id: string }) {
  const [shown, setShown] = useState(SHOWN);
  const api = model.api.value;
  const timeZone = model.data.value?.project.time_zone;
  const where = getNamedValue(model.shown.value, 'where');
  const history = useLoaded(() => {
    if (timeZone === undefined) return undefined;
    const selected = `${formatProperty('properties', model.userProperty.value)} == ${quoteString(id)}`;
    return catchApiError(readHistory(api, selected, where, timeZone));
  }, [api, id, where, timeZone]);
  if (history === undefined) return <p class="card-hint">Loading …</p>;
  if (history instanceof ApiError) return <p class="card-hint error">{history.message}</p>;
  const { events, explain } = history;
  const today = new Date().toISOString();
  return (
    <>
      <p class="card-hint">
        {events.length >= MAX_EVENTS
          ? `The first ${formatInteger(events.length)} events.`
          : pluralize(events.length, 'event')}
      </p>
      {groupByDay(events.slice(0, shown)).map(([day, ofDay]) => (
        <section key={day} class="timeline">
          <h3>{day === '' ? 'No time' : formatBucketTitle(day, { unit: 'day' }, today)}</h3>
          <ol>
            {ofDay.map((event, at) => (
              <TimelineEvent key={at} event={event} explain={explain} />
            ))}
          </ol>
        </section>
      ))}
      {events.length > shown && (
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
  /** In the time zone of the project: `2025-06-01 00:12:36`; empty if the event has no time. */
  readonly time: string;
}

/** Explains a filter for an event. */
type Explain = (event: ExportedEvent) => Traced;

/** The events of a user, and the filter that is explained for each. */
interface UserHistory {
  readonly events: readonly ExportedEvent[];
  readonly explain: Explain | undefined;
}

/** Reads the events that a condition selects, and the profiles of their users if a filter reads these. */
async function readHistory(api: QueryApi, selected: string, where: string, timeZone: string): Promise<UserHistory> {
  const lines = await api.readLines('export', [['where', selected]], MAX_EVENTS);
  const events = lines.flatMap((line): ExportedEvent[] => {
    const event: unknown = parseJson(line);
    if (!isJsonObject(event)) return [];
    const read = event as unknown as Omit<ExportedEvent, 'time'>;
    const { time } = read.properties;
    return [{ ...read, time: typeof time === 'number' ? formatLocalTime(time, timeZone) : '' }];
  });
  const { ok, properties } = check(where, { use: 'where', timeZone });
  if (where.trim() === '' || !ok) return { events, explain: undefined };
  const ids = [...new Set(events.map((event) => event.properties.distinct_id))].slice(0, MAX_PROFILES);
  const profiles = properties.some(({ scope }) => scope === 'user') ? await readProfiles(api, ids) : new Map();
  const options = { use: 'where', timeZone, now: getCurrentTime() } as const;
  return {
    events,
    explain: (event) => trace(where, event.properties, profiles.get(event.properties.distinct_id), options),
  };
}

async function readProfiles(api: QueryApi, ids: readonly unknown[]): Promise<ReadonlyMap<unknown, Properties>> {
  const { results } = (await api.post('engage', [['distinct_ids', JSON.stringify(ids)]])) as {
    readonly results: readonly { readonly $distinct_id: string; readonly $properties: Properties }[];
  };
  return new Map(results.map(({ $distinct_id, $properties }) => [$distinct_id, $properties]));
}

/** Groups consecutive events by their day, `yyyy-mm-dd`. */
function groupByDay(events: readonly ExportedEvent[]): readonly (readonly [day: string, ExportedEvent[]])[] {
  const groups: [string, ExportedEvent[]][] = [];
  for (const event of events) {
    const day = event.time.slice(0, 10);
    const last = groups.at(-1);
    if (last?.[0] === day) last[1].push(event);
    else groups.push([day, [event]]);
  }
  return groups;
}

/** Properties that every event has, or that the rest of its line says. */
const SAID: ReadonlySet<string> = new Set(['time', 'distinct_id', '$insert_id', 'token']);

interface EventProps {
  readonly event: ExportedEvent;
  readonly explain: Explain | undefined;
}

function TimelineEvent({ event, explain }: EventProps) {
  const { properties, time } = event;
  const values = Object.entries(properties).filter(([name]) => !SAID.has(name));
  const line = values.map(([name, value]) => `${name}: ${showValue(value as Value)}`).join(', ');
  const traced = explain?.(event);
  const isMatch = traced !== undefined && 'value' in traced && traced.value === true;
  return (
    <li>
      <details>
        <summary>
          <time>{time.slice(11)}</time>
          <b>
            <bdi>{escapeUnprintable(event.event)}</bdi>
          </b>
          {traced !== undefined && (
            <span class={isMatch ? 'matches' : 'muted'}>{isMatch ? '✓ matches' : '✗ does not match'}</span>
          )}
          <bdi class="muted">{escapeUnprintable(truncate(line, 240))}</bdi>
        </summary>
        {traced !== undefined && (
          <ul class="reasons">
            {why(traced).map(({ message }) => (
              <li key={message}>{escapeUnprintable(message)}</li>
            ))}
          </ul>
        )}
        <dl>
          {values.map(([name, value]) => (
            <div key={name}>
              <dt>{escapeUnprintable(truncate(name, 60))}</dt>
              <dd>
                <bdi>{escapeUnprintable(truncate(showValue(value as Value), 400))}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  );
}
