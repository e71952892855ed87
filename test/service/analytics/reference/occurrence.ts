import { compile, compileOn, compileWhere } from '../../../../src/api/expressions.ts';
import { ExpressionError } from '../../../../src/lang/errors.ts';
import { compareStrings, formatDecimal, type Properties, type Value } from '../../../../src/lang/value.ts';
import { QueryError } from '../../../../src/queries/errors.ts';
import type { QueryMoment } from '../../../../src/service/store/filter-snapshot.ts';
import type { StoredEvent, StoredPerson } from '../../../../src/service/store/store.ts';

/** The records of a version. */
export interface ReferenceVersion {
  readonly events: readonly StoredEvent[];
  readonly people: readonly StoredPerson[];
}

/** An event with its user's profile. */
export interface Occurrence {
  readonly event: string;
  readonly time: number;
  readonly user: string;
  readonly properties: Properties;
  /** The user's properties in the same version. */
  readonly profile: Properties | undefined;
}

/** Returns the events of all versions, each with its user's profile. */
export function occurrencesOf(versions: readonly ReferenceVersion[]): Occurrence[] {
  return versions.flatMap(({ events, people }) => {
    const profiles = new Map(people.map(({ distinctId, properties }) => [distinctId, properties]));
    return events.map(({ event, properties }) => {
      const { time, distinct_id: id } = properties;
      const user = typeof id === 'number' ? formatDecimal(id) : (id as string);
      return { event, time: time as number, user, properties, profile: profiles.get(user) };
    });
  });
}

const ANY_MOMENT: QueryMoment = { now: 0, timeZone: 'UTC' };

/** Throws if an expression is invalid for every event. Checks filters first. */
export function expectValid(filters: readonly (string | undefined)[], on?: string): void {
  for (const filter of filters) selectEvents(filter, [], ANY_MOMENT);
  if (on !== undefined) segmentsOf(on, [], ANY_MOMENT);
}

/** Returns the events that match a filter. Evaluates every event, so that any can fail the query. */
export function selectEvents(
  where: string | undefined,
  events: readonly Occurrence[],
  moment: QueryMoment,
): Occurrence[] {
  if (where === undefined) return [...events];
  return addRole('selector', () => {
    const selects = compileWhere(where, moment);
    return events.filter(({ properties, profile }) => selects(properties, profile));
  });
}

/** Returns the events that match a filter; those on which it fails do not. */
export function selectWithoutRaising(
  where: string | undefined,
  events: readonly Occurrence[],
  moment: QueryMoment,
): Occurrence[] {
  return events.filter((event) => {
    try {
      return selectEvents(where, [event], moment).length > 0;
    } catch {
      return false;
    }
  });
}

/** Returns the segment names of each event. */
export function segmentsOf(
  on: string,
  events: readonly Occurrence[],
  moment: QueryMoment,
): Map<Occurrence, readonly string[]> {
  return addRole('action', () => {
    const names = compileOn(on, moment);
    return new Map(events.map((each) => [each, names(each.properties, each.profile)]));
  });
}

/** Evaluates an expression for each event. */
export function valuesOf(on: string, events: readonly Occurrence[], moment: QueryMoment): Map<Occurrence, Value> {
  return addRole('action', () => {
    const value = compile(on, moment);
    return new Map(events.map((each) => [each, value(each.properties, each.profile)]));
  });
}

/** Converts an expression's error to a query error with the expression's role. */
function addRole<Result>(kind: 'selector' | 'action', evaluate: () => Result): Result {
  try {
    return evaluate();
  } catch (error) {
    throw error instanceof ExpressionError ? new QueryError(kind, error.message) : error;
  }
}

/** Groups items by each of their keys. */
export function groupBy<Key, Item>(items: Iterable<Item>, keysOf: (item: Item) => readonly Key[]): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** Returns the number of users. */
export function countUsers(events: readonly Occurrence[]): number {
  return new Set(events.map(({ user }) => user)).size;
}

/** Returns the top names by amount, highest first, then by name. */
export function selectTop(names: Iterable<string>, limit: number, amountOf: (name: string) => number): string[] {
  return [...names]
    .sort((left, right) => amountOf(right) - amountOf(left) || compareStrings(left, right))
    .slice(0, limit);
}

/** Compares lists of names by the first names that differ, in order of code points; a prefix comes first. */
export function compareNames(left: readonly string[], right: readonly string[]): number {
  const [ours, theirs] = [left, right].map((names) => [...names].sort(compareStrings)) as [string[], string[]];
  const differing = ours.findIndex((name, index) => name !== theirs[index]);
  if (differing === -1) return ours.length - theirs.length;
  const other = theirs[differing];
  return other === undefined ? 1 : compareStrings(ours[differing] as string, other);
}
