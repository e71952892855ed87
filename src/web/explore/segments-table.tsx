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
  if (segments === undefined || segments.totals.size === 0) return <p class="hint">{explainNothing(result)}</p>;
  const isProperty = readGroupedProperty(query.on) !== undefined;
  const { unit, unique } = model.state.value;
  return (
    <>
      <p class="row controls">
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
function toAnswer({ totals, series, overTime }: SegmentsResult, { query }: EventsResult): Answer {
  const values = Array.from(overTime, ([name, counts]) => [name, Object.fromEntries(counts)] as const);
  const whole = Array.from(totals, ([name, all]) => [name, { all }] as const);
  return {
    view: 'lines',
    path: 'segmentation',
    parameters: new Map(
      Object.entries({ type: query.unique ? 'unique' : 'general', unit: query.unit, on: query.on, event: 'events' }),
    ),
    result: { data: { series, values: Object.fromEntries(values) } },
    whole: { data: { series: ['all'], values: Object.fromEntries(whole) } },
    today: series.at(-1) ?? '',
  };
}

function explainNothing({ query, failure, matching }: EventsResult): string {
  if (failure !== undefined) return 'Segments need a query without an error.';
  if (query.on.trim() === '') return 'Group the events by a property to see segments.';
  return matching === 0 ? 'No event matches.' : 'No matching event is in a segment.';
}

function listNotes({ others, missing }: SegmentsResult): string[] {
  return [
    ...(others > 0 ? [`${pluralize(others, 'more segment')} not shown.`] : []),
    ...(missing.time > 0 ? [`Not in the chart: ${pluralize(missing.time, 'event')} without a time.`] : []),
    ...(missing.distinct_id > 0
      ? [`Not counted as users: ${pluralize(missing.distinct_id, 'event')} without a distinct_id.`]
      : []),
  ];
}
