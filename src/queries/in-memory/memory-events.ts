import { type Compiled, compile, compileOn, compileWhere } from '../../api/expressions.ts';
import { ExpressionError } from '../../lang/errors.ts';
import { compareStrings, type Properties, type Value } from '../../lang/value.ts';
import { type ExpressionKind, toQueryError } from '../expression-error.ts';
import type { TimeRange } from '../time-range.ts';

/** An event, with the profile of its user. */
export interface MemoryEvent {
  readonly event: string;
  /** Whole Unix seconds. */
  readonly time: number;
  readonly user: string;
  readonly properties: Properties;
  readonly profile: Properties | undefined;
}

/** A profile. */
export interface MemoryPerson {
  readonly distinctId: string;
  readonly properties: Properties;
}

/** The records and the time that queries run on. */
export interface MemoryContext {
  readonly events: readonly MemoryEvent[];
  readonly people: readonly MemoryPerson[];
  /** The IANA name of the time zone of days, and of dates in expressions. */
  readonly timeZone: string;
  /** The current time, in Unix seconds. */
  readonly now: number;
}

/** Evaluates one expression of a query. An error of the expression is a {@link QueryError}. */
export type Evaluate<Result> = (event: MemoryEvent) => Result;

/** Returns the events with one of the names in a range of time: all names, or all time, if undefined. */
export function findEvents(
  { events }: MemoryContext,
  names: readonly string[] | undefined,
  span?: TimeRange,
): MemoryEvent[] {
  const wanted = names && new Set(names);
  return events.filter(
    ({ event, time }) => wanted?.has(event) !== false && (span === undefined || isInRange(time, span)),
  );
}

/** Returns whether a time is in a range and in none of its gaps. */
export function isInRange(time: number, { from, to, gaps = [] }: TimeRange): boolean {
  return from <= time && time < to && !gaps.some((gap) => isInRange(time, gap));
}

/**
 * Compiles a filter. An event on which it fails is an error, so evaluate every event that it is for.
 *
 * @throws {QueryError} if it is invalid
 */
export function prepareFilter(where: string | undefined, { now, timeZone }: MemoryContext): Evaluate<boolean> {
  if (where === undefined) return () => true;
  return prepare('selector', 'where', () => compileWhere(where, { now, timeZone }));
}

/**
 * Compiles an expression into the names of an event's segments. Without one, an event is in none.
 *
 * @throws {QueryError} if it is invalid
 */
export function prepareSegments(on: string | undefined, { now, timeZone }: MemoryContext): Evaluate<readonly string[]> {
  if (on === undefined) return () => [];
  return prepare('action', 'on', () => compileOn(on, { now, timeZone }));
}

/**
 * Compiles an expression.
 *
 * @throws {QueryError} if it is invalid
 */
export function prepareValue(on: string, { now, timeZone }: MemoryContext): Evaluate<Value> {
  return prepare('action', 'value', () => compile(on, { now, timeZone }));
}

function prepare<Result>(
  kind: ExpressionKind,
  use: 'where' | 'on' | 'value',
  compileSource: () => Compiled<Result>,
): Evaluate<Result> {
  const guard = <Returned>(work: () => Returned): Returned => {
    try {
      return work();
    } catch (error) {
      throw error instanceof ExpressionError ? toQueryError(kind, error, use, {}) : error;
    }
  };
  const evaluate = guard(compileSource);
  return ({ properties, profile }) => guard(() => evaluate(properties, profile));
}

/** Returns the names with the highest amounts, highest first, then by name. */
export function rankTop(amounts: ReadonlyMap<string, number>, limit: number): string[] {
  return [...amounts]
    .sort(([name, amount], [other, otherAmount]) => otherAmount - amount || compareStrings(name, other))
    .slice(0, limit)
    .map(([name]) => name);
}

/** Compares lists of names by the first names that differ, in order of code points; a prefix comes first. */
export function compareNameLists(left: readonly string[], right: readonly string[]): number {
  const [ours, theirs] = [left, right].map((names) => [...names].sort(compareStrings)) as [string[], string[]];
  const at = ours.findIndex((name, index) => name !== theirs[index]);
  if (at === -1) return ours.length - theirs.length;
  return at < theirs.length ? compareStrings(ours[at] as string, theirs[at] as string) : 1;
}

/** Returns the value of a key, which is created if it is missing. */
export function getOrCreate<Key, Held>(map: Map<Key, Held>, key: Key, create: () => Held): Held {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
