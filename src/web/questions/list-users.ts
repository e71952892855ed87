import { isJsonObject } from '../../base/json.ts';
import { formatProperty } from '../../base/strings.ts';
import type { UserSelection } from '../answers/answer.ts';
import { addCondition } from '../shared/add-condition.ts';
import type { PropertyCatalog } from '../shared/property-catalog.ts';
import { ApiError, type QueryApi } from '../shared/query-api.ts';
import { findSegmentCondition } from '../shared/segment-condition.ts';
import { countDays } from './fill-defaults.ts';
import { formatSteps, parseSteps } from './funnel-steps.ts';
import { QUERIES } from './queries.ts';
import { getNamedValue, getParameters, type QuestionState } from './state.ts';

/** The most segments that an endpoint returns, and so the most users. */
export const MAX_USERS = 10_000;

type ByName<Value> = Readonly<Record<string, Value>>;

/**
 * Returns the IDs of the users behind a number: the same question, grouped by user.
 *
 * @param userProperty The property that holds the ID of the user.
 * @throws {ApiError} if the response is an error, or it is not known which events the segment has.
 */
export async function listUsers(
  api: QueryApi,
  catalog: PropertyCatalog,
  state: QuestionState,
  selection: UserSelection,
  userProperty: string,
): Promise<readonly string[]> {
  const given = new Map(getParameters(state));
  const segment = selection.kind === 'segment' ? selection.name : selection.segment;
  if (segment !== undefined && given.has('on')) await narrow(given, catalog, segment);
  given.set('on', formatProperty('properties', userProperty)).set('limit', String(MAX_USERS));
  if (selection.kind !== 'cohort') given.delete('unit');
  if (selection.kind === 'step') given.set('interval', String(countDays(state)));
  else if (selection.kind === 'segment') given.delete('type');
  const result = await api.post(QUERIES[state.query].path, [...given]);
  return pickUsers(result, selection);
}

/** Restricts a question to the users of a segment, which is read from their first event. */
async function narrow(given: Map<string, string>, catalog: PropertyCatalog, segment: string): Promise<void> {
  const condition = await findSegmentCondition(catalog, given.get('on') ?? '', segment, false);
  const [first, ...others] = parseSteps(given.get('steps') ?? '');
  const name = given.has('born_event') ? 'born_where' : 'where';
  const filter = condition && addCondition(first?.where ?? given.get(name) ?? '', condition);
  if (filter === undefined || given.has('funnel_id'))
    throw new ApiError(400, 'The users of this segment cannot be listed. Write a filter for it instead.');
  if (first === undefined) given.set(name, filter);
  else given.set('steps', formatSteps([{ ...first, where: filter }, ...others]));
}

function pickUsers(result: unknown, selection: UserSelection): readonly string[] {
  switch (selection.kind) {
    case 'segment': {
      const { data } = result as { readonly data: { readonly values: ByName<ByName<number>> } };
      return Object.keys(data.values);
    }
    case 'step': {
      const { data } = result as {
        readonly data: ByName<ByName<{ readonly steps: readonly { readonly count: number }[] }>>;
      };
      const { step, dropped } = selection;
      return Object.values(data).flatMap((users) =>
        Object.entries(users).flatMap(([user, { steps }]) => {
          const [reached, next] = [steps[step]?.count ?? 0, steps[step + 1]?.count ?? 0];
          return user !== '$overall' && reached > 0 && !(dropped && next > 0) ? [user] : [];
        }),
      );
    }
    case 'cohort': {
      // Retention counts in an object, frequency in a list.
      const users = (result as ByName<ByName<readonly number[] | { readonly counts: readonly number[] }>>)[
        selection.date
      ];
      return Object.entries(users ?? {}).flatMap(([user, found]) => {
        const counts = 'counts' in found ? found.counts : found;
        return (counts[selection.column] ?? 0) > 0 ? [user] : [];
      });
    }
  }
}

/** Returns whether a part of a link names users behind a number. */
export function isSelection(value: unknown): value is UserSelection {
  if (!isJsonObject(value)) return false;
  const { kind, step, dropped, date, column, name, segment } = value;
  if (segment !== undefined && typeof segment !== 'string') return false;
  if (kind === 'step') return Number.isInteger(step) && typeof dropped === 'boolean';
  if (kind === 'cohort') return typeof date === 'string' && Number.isInteger(column);
  return kind === 'segment' && typeof name === 'string';
}

/** Describes the users behind a number, as a title. */
export function describeUsers(selection: UserSelection, state: QuestionState): string {
  const { kind } = selection;
  const segment = kind === 'segment' ? selection.name : selection.segment;
  const of = segment === undefined ? '' : ` of ${segment}`;
  if (kind === 'segment') return `Users${of}`;
  if (kind === 'cohort') return `Users${of} of ${selection.date} ${describeColumn(state, selection.column)}`;
  const { step, dropped } = selection;
  const name = parseSteps(getNamedValue(state, 'steps'))[step]?.event ?? `step ${step + 1}`;
  return `Users${of} who ${dropped ? 'left after' : 'reached'} “${name}”`;
}

/** Describes a column of cohorts: the interval in which users come back, or in how many units they are active. */
function describeColumn(state: QuestionState, column: number): string {
  const unit = getNamedValue(state, 'addiction_unit');
  if (unit !== '') return column === 0 ? 'who are active' : `active in ${column + 1} or more ${unit}s`;
  const days = Number(getNamedValue(state, 'interval'));
  const interval = days > 0 ? `day ${column * days}` : `${getNamedValue(state, 'unit') || 'day'} ${column}`;
  return column === 0 ? 'who began then' : `who came back in ${interval}`;
}
