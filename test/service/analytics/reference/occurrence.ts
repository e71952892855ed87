import { compile, compileOn, compileWhere } from '../../../../src/api/expressions.ts';
import { ExpressionError } from '../../../../src/lang/errors.ts';
import { compareStrings, formatDecimal, type Properties, type Value } from '../../../../src/lang/value.ts';
import { QueryError } from '../../../../src/service/analytics/errors.ts';
import type { StoredEvent, StoredPerson } from '../../../../src/service/store/store.ts';

/** What a version holds. */
export interface ReferenceVersion {
  readonly events: readonly StoredEvent[];
  readonly people: readonly StoredPerson[];
}

/** An event that a user did. */
export interface Occurrence {
  readonly event: string;
  readonly time: number;
  readonly user: string;
  readonly properties: Properties;
  /** Of the user, in the same version. */
  readonly profile: Properties | undefined;
}

/** The events of all versions, each with its user's profile. */
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

/** Fails where an expression is wrong whatever the events are, which is seen before any event is: filters first. */
export function expectSound(filters: readonly (string | undefined)[], on?: string): void {
  for (const filter of filters) selectedBy(filter, [], 0);
  if (on !== undefined) segmentsOf(on, [], 0);
}

/** The events that a filter selects; without one, all of them. Each is judged, so that any can make the query fail. */
export function selectedBy(where: string | undefined, events: readonly Occurrence[], now: number): Occurrence[] {
  if (where === undefined) return [...events];
  return judged('selector', () => {
    const selects = compileWhere(where, { now });
    return events.filter(({ properties, profile }) => selects(properties, profile));
  });
}

/** The names of the segments that each event is in. */
export function segmentsOf(on: string, events: readonly Occurrence[], now: number): Map<Occurrence, readonly string[]> {
  return judged('action', () => {
    const names = compileOn(on, { now });
    return new Map(events.map((each) => [each, names(each.properties, each.profile)]));
  });
}

/** What an expression answers for each event. */
export function valuesOf(on: string, events: readonly Occurrence[], now: number): Map<Occurrence, Value> {
  return judged('action', () => {
    const value = compile(on, { now });
    return new Map(events.map((each) => [each, value(each.properties, each.profile)]));
  });
}

/** Says of an expression that fails what it was for. */
function judged<Answer>(kind: 'selector' | 'action', judge: () => Answer): Answer {
  try {
    return judge();
  } catch (error) {
    throw error instanceof ExpressionError ? new QueryError(kind, error.message) : error;
  }
}

/** Items by each of their keys. */
export function groupBy<Key, Item>(items: Iterable<Item>, keysOf: (item: Item) => readonly Key[]): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** How many users did events. */
export function usersOf(events: readonly Occurrence[]): number {
  return new Set(events.map(({ user }) => user)).size;
}

/** The names with the greatest amounts, greatest first, equal ones by name. */
export function greatest(names: Iterable<string>, limit: number, amountOf: (name: string) => number): string[] {
  return [...names]
    .sort((left, right) => amountOf(right) - amountOf(left) || compareStrings(left, right))
    .slice(0, limit);
}

/** The order of sets of names: that of the first names by code point that differ; a set comes before those that go on. */
export function compareNames(left: readonly string[], right: readonly string[]): number {
  const [ours, theirs] = [left, right].map((names) => [...names].sort(compareStrings)) as [string[], string[]];
  const differing = ours.findIndex((name, index) => name !== theirs[index]);
  if (differing === -1) return ours.length - theirs.length;
  const other = theirs[differing];
  return other === undefined ? 1 : compareStrings(ours[differing] as string, other);
}
