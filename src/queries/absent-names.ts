import { formatProperty } from '../base/strings.ts';
import { describeAbsent, describeAbsentEvent, type NameCounts } from '../data/name-census.ts';
import { getKey, listNamed, type NamedProperty } from '../data/occurrences.ts';
import type { NameCount, NamesRequest, ValuesRequest } from './requests.ts';

/** More names or values are not counted, and what is not among them is then not called absent. */
const MAX_NAMES = 5000;

/** The values of so many properties are compared with the data, since each takes a query. */
const MAX_VALUED = 5;

/** The events and properties that a request names. */
export interface NamedInRequest {
  readonly events: readonly string[];
  /** Valid expressions. */
  readonly sources: readonly string[];
  /** Whether the expressions read people: then both scopes read the profile. */
  readonly ofPeople: boolean;
}

/** Counts names and values over all records that a query reads. */
export interface NameQueries {
  names(request: NamesRequest): Promise<readonly NameCount[]>;
  values(request: ValuesRequest): Promise<readonly NameCount[]>;
}

type Counts = ReadonlyMap<string, number>;

/**
 * Finds the events, properties and values that a request names and that no record has. Returns a sentence for each, with
 * the nearest name and its count.
 */
export async function findAbsentNames(
  { events, sources, ofPeople }: NamedInRequest,
  queries: NameQueries,
): Promise<string[]> {
  const named = listNamed({ sources, now: 0 });
  const count = async (of: NamesRequest['of']) => toCounts(await queries.names({ of, limit: MAX_NAMES }));
  const reads = (scope: NamedProperty['scope']) => named.properties.some((property) => property.scope === scope);
  const eventCounts = events.length > 0 ? await count('events') : new Map();
  const counts = {
    properties: reads('properties') ? await count(ofPeople ? 'user' : 'properties') : new Map(),
    user: reads('user') ? await count('user') : new Map(),
  };
  const present = named.properties.filter(({ scope, name }) => counts[scope].has(name));
  const valued = ofPeople ? [] : present.filter(({ values }) => values.some(isString)).slice(0, MAX_VALUED);
  const values = new Map<NamedProperty, Counts>();
  for (const property of valued) {
    const { scope, name } = property;
    values.set(property, toCounts(await queries.values({ scope, name, limit: MAX_NAMES })));
  }
  const absent = new Set<string>();
  for (const property of named.properties) {
    if (isAbsent(property.name, counts[property.scope])) absent.add(getKey(property));
    for (const value of property.values.filter(isString)) {
      if (isAbsent(value, values.get(property))) absent.add(getKey(property, value));
    }
  }
  const found: NameCounts = { records: 0, events: eventCounts, ...counts, values };
  const missing = [...new Set(events)].filter((event) => isAbsent(event, eventCounts));
  return [
    ...missing.map((event) => describeAbsentEvent(event, eventCounts)),
    ...Array.from(
      describeAbsent(named, (key) => absent.has(key), found, { scope: '', isWhole: true }),
      ({ message }) => message,
    ),
  ];
}

/** The names of values are strings: what else occurs is not known. */
function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function toCounts(names: readonly NameCount[]): Counts {
  const counts = new Map<string, number>();
  // Values of several types can have the same name.
  for (const { name, count } of names) counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
}

/** Returns whether a name is surely absent: not if it may be among names that were not counted. */
function isAbsent(name: string, counts: Counts | undefined): boolean {
  return counts !== undefined && counts.size < MAX_NAMES && !counts.has(name);
}

/** Lists what the request of a query names. Requests call the same things alike. */
export function listNamedInRequest(request: object): NamedInRequest {
  const given = request as {
    readonly [Key in 'event' | 'bornEvent' | 'where' | 'on' | 'bornWhere' | 'name']?: string;
  } & {
    readonly events?: readonly string[];
    readonly steps?: readonly { readonly event: string; readonly where?: string }[];
  };
  const { steps = [], name } = given;
  const isGiven = (text: string | undefined) => text !== undefined;
  return {
    events: [given.event, given.bornEvent, ...(given.events ?? []), ...steps.map(({ event }) => event)].filter(isGiven),
    sources: [
      ...[given.where, given.on, given.bornWhere, ...steps.map(({ where }) => where)].filter(isGiven),
      ...(name === undefined ? [] : [formatProperty('properties', name)]),
    ],
    ofPeople: false,
  };
}
