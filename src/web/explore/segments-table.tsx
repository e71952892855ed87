import { pluralize } from '../../base/strings.ts';
import { UNITS } from '../../data/buckets.ts';
import type { Answer } from '../answers/answer.ts';
import { AnswerView } from '../answers/answer-view.tsx';
import type { EventsResult, SegmentsResult } from '../events/messages.ts';
import { readGroupedProperty } from '../shared/segment-condition.ts';
import type { ExploreModel } from './explore-model.ts';

/** The segments of the selected events: over time, and their totals. */
export function SegmentsTable({ model, result }: { readonly model: ExploreModel; readonly result: EventsResult }) {
  const { segments, query } = result;
  if (segments === undefined || segments.totals.segments.length === 0)
    return <p class="hint">{explainNothing(result)}</p>;
  const isProperty = readGroupedProperty(query.on) !== undefined;
  const { unit, unique } = model.state.value;
  return (
    <>
      <p class="controls">
        <label>
          Count{' '}
          <select
            value={unique ? 'users' : 'events'}
            onInput={({ currentTarget }) => model.change({ unique: currentTarget.value === 'users' })}
          >
            <option>events</option>
            <option>users</option>
          </select>
        </label>
        <label>
          per{' '}
          <select
            value={unit}
            onInput={({ currentTarget }) => model.change({ unit: UNITS[currentTarget.selectedIndex] ?? unit })}
          >
            {UNITS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </p>
      <AnswerView
        answer={toAnswer(segments, result)}
        actions={{
          filterBySegment: isProperty ? (name, excluded) => void model.filterBySegment(name, excluded) : undefined,
          zoom: () => undefined,
          annotate: () => undefined,
          loadPage: () => undefined,
        }}
      />
      {listNotes(segments).map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </>
  );
}

/** Returns segments as the answer of a server, whose totals are those of all selected events, also without a time. */
function toAnswer({ totals, overTime, events, users }: SegmentsResult, { query }: EventsResult): Answer {
  const values = overTime.segments.map(({ name, values: counts }) => [name, Object.fromEntries(counts)] as const);
  const counted = query.unique ? users : events;
  const whole = totals.segments.map(({ name }) => [name, { all: counted.get(name) ?? 0 }] as const);
  return {
    view: 'lines',
    path: 'segmentation',
    parameters: new Map(
      Object.entries({ type: query.unique ? 'unique' : 'general', unit: query.unit, on: query.on, event: 'events' }),
    ),
    result: { data: { series: overTime.series, values: Object.fromEntries(values) } },
    whole: { data: { series: ['all'], values: Object.fromEntries(whole) } },
    today: overTime.series.at(-1) ?? '',
  };
}

function explainNothing({ query, failure, matching }: EventsResult): string {
  if (failure !== undefined) return 'Segments need a query without an error.';
  if (query.on.trim() === '') return 'Group the events by a property to see segments.';
  return matching === 0 ? 'No event matches.' : 'No matching event is in a segment.';
}

function listNotes({ totals, missing }: SegmentsResult): string[] {
  const more = totals.rest.segments;
  return [
    ...(more > 0 ? [`${pluralize(more, 'more segment')} not shown.`] : []),
    ...(missing.time > 0 ? [`Not in the chart: ${pluralize(missing.time, 'event')} without a time.`] : []),
    ...(missing.distinct_id > 0
      ? [`Not counted as users: ${pluralize(missing.distinct_id, 'event')} without a distinct_id.`]
      : []),
  ];
}
