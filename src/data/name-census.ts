import { formatInteger, formatProperty, pluralize, quoteString, truncate } from '../base/strings.ts';
import { suggest } from '../base/suggest.ts';
import { applyOperator } from '../lang/operators/overloads.ts';
import { FUNCTIONS } from '../lang/operators/table.ts';
import type { EventRecord } from './event-record.ts';
import {
  type ComparedType,
  getEventKey,
  getKey,
  getTypeKey,
  listStrings,
  type Named,
  type NamedProperty,
  NUMBER_KEY,
  Occurrences,
} from './occurrences.ts';

/** Counts of more distinct names or values than this are not kept. */
export const MAX_COUNTED = 10_000;

/** The number of names or values that a message lists, and their width. */
const MAX_LISTED = 3;
const MAX_WIDTH = 40;

type Counts = ReadonlyMap<string, number>;

/** How many records have each name, and each string of the properties whose values a question names. */
export interface NameCounts {
  readonly records: number;
  readonly events: Counts;
  readonly properties: Counts;
  readonly user: Counts;
  readonly values: ReadonlyMap<NamedProperty, Counts>;
}

/** A name or value that no record has. */
export interface AbsentName {
  /** A sentence for the user, with the nearest name and its count or else the most frequent names. */
  readonly message: string;
  /** The property, and the value if it is the value that no record has; undefined for an event or a number. */
  readonly property?: Pick<NamedProperty, 'scope' | 'name'> & {
    readonly value: NamedProperty['values'][number] | undefined;
  };
  /** The nearest name or value, if any is near. */
  readonly nearest?: string | undefined;
}

/** Which records a census counted. */
export interface CensusExtent {
  /** The records in words, if others may have what these lack; else empty. */
  readonly scope: string;
  /** Whether the census counted all records. */
  readonly isWhole: boolean;
}

/** Describes an event that never occurs, with the nearest name in the counts of events. */
export function describeAbsentEvent(event: string, counts: Counts): string {
  return `No event is called ${show(event)}.${describeNear(event, counts, 'Events', '').near}`;
}

/** Counts the names and values of sample records. */
export class NameCensus implements NameCounts {
  records = 0;
  readonly events = new Map<string, number>();
  readonly properties = new Map<string, number>();
  readonly user = new Map<string, number>();
  readonly values = new Map<NamedProperty, Map<string, number>>();
  readonly occurrences: Occurrences;

  constructor(named: Named) {
    this.occurrences = new Occurrences(named);
    for (const property of named.properties)
      if (property.values.length > 0 || property.types.length > 0) this.values.set(property, new Map());
  }

  add(record: EventRecord): void {
    this.records++;
    this.occurrences.add(record);
    if (record.event !== undefined) addTo(this.events, record.event);
    for (const name of Object.keys(record.properties)) addTo(this.properties, name);
    for (const name of Object.keys(record.user ?? {})) addTo(this.user, name);
    for (const [{ scope, name }, counts] of this.values) {
      const properties = scope === 'user' ? record.user : record.properties;
      if (properties === undefined || !Object.hasOwn(properties, name)) continue;
      for (const value of new Set(listStrings(properties[name]))) addTo(counts, value);
    }
  }
}

function addTo(counts: Map<string, number>, name: string): void {
  const count = counts.get(name) ?? 0;
  if (count > 0 || counts.size < MAX_COUNTED) counts.set(name, count + 1);
}

/** Describes what is missing in the records. */
export function* describeAbsent(
  { event, properties, number }: Named,
  isMissing: (key: string) => boolean,
  census: NameCounts,
  { scope, isWhole }: CensusExtent,
): Generator<AbsentName> {
  const counted = isWhole ? '' : ` of the first ${pluralize(census.records, 'record')}`;
  const none = scope === '' ? 'No record' : `None of ${scope}`;
  const inside = scope === '' ? '' : ` in ${scope}`;
  if (event !== undefined && isMissing(getEventKey(event))) {
    const { near, nearest } = describeNear(event, census.events, 'Events', counted);
    yield { message: `No event is called ${show(event)}${inside}.${near}`, nearest };
  }
  let anyAbsent = false;
  for (const named of properties) {
    const { scope: of, name } = named;
    if (isMissing(getKey(named))) {
      anyAbsent = true;
      const [what, all] = of === 'user' ? ['user property', 'User properties'] : ['property', 'Properties'];
      const { near, nearest } = describeNear(name, census[of], all, counted, 'record');
      const property = { scope: of, name, value: undefined };
      yield { message: `${none} has the ${what} ${show(name)}.${near}`, property, nearest };
      continue;
    }
    for (const value of named.values) {
      if (!isMissing(getKey(named, value))) continue;
      // Another warning reports a type that never occurs.
      if (typeof value !== 'string' && isMissing(getTypeKey(named, typeof value as ComparedType))) continue;
      const never = scope === '' ? 'never occurs in' : 'does not occur in';
      const counts = census.values.get(named) ?? new Map<string, number>();
      const { near, nearest } =
        typeof value === 'string'
          ? describeNear(value, counts, 'Its values', counted)
          : { near: '', nearest: undefined };
      const message = `${typeof value === 'string' ? show(value) : value} ${never} ${formatProperty(of, name)}${inside}.${near}`;
      yield { message, property: { scope: of, name, value }, nearest };
    }
  }
  for (const named of properties) {
    const type = isMissing(getKey(named)) ? undefined : named.types.find((each) => isMissing(getTypeKey(named, each)));
    if (type !== undefined) yield describeOtherType(named, type, census, { counted, inside });
  }
  if (number !== undefined && !anyAbsent && isMissing(NUMBER_KEY)) {
    const source = truncate(number.source, 2 * MAX_WIDTH);
    yield { message: `${source} is never a number${inside}, so every value counts as 0.` };
  }
}

/** Describes a property that is compared with numbers or booleans and is never one. */
function describeOtherType(
  named: NamedProperty,
  type: ComparedType,
  census: NameCounts,
  { counted, inside }: { readonly counted: string; readonly inside: string },
): AbsentName {
  const { scope, name } = named;
  const source = formatProperty(scope, name);
  const counts = census.values.get(named) ?? new Map<string, number>();
  const isReadable = [...counts.keys()].some((text) => applyOperator(FUNCTIONS.number, [text]) !== undefined);
  const cast = type === 'number' && isReadable ? ` Write number(${source}) to read strings as numbers.` : '';
  return {
    message: `${source} is never a ${type}${inside}.${describeFrequent(counts, 'Its values', counted)}${cast}`,
    property: { scope, name, value: undefined },
  };
}

/** Returns a sentence that begins with a blank and names the nearest candidate or, if none is near, the most frequent. */
function describeNear(
  written: string,
  counts: Counts,
  kind: string,
  counted: string,
  unit = '',
): { near: string; nearest: string | undefined } {
  const nearest = suggest(written, counts.keys());
  if (nearest === undefined) return { near: describeFrequent(counts, kind, counted, unit), nearest };
  const count = counts.get(nearest) ?? 0;
  const times = unit === '' || counted !== '' ? `${formatInteger(count)}${counted}` : pluralize(count, unit);
  return { near: ` Did you mean ${show(nearest)} (${times})?`, nearest };
}

/** Returns a sentence that begins with a blank and names the most frequent names; an empty string without names. */
function describeFrequent(counts: Counts, kind: string, counted: string, unit = ''): string {
  if (counts.size === 0) return '';
  const ranked = [...counts].sort(([first, left], [second, right]) => right - left || (first < second ? -1 : 1));
  const listed = ranked.slice(0, MAX_LISTED).map(([name, count]) => {
    return `${show(name)} (${unit === '' ? formatInteger(count) : pluralize(count, unit)})`;
  });
  return ` ${kind}${counted.replace(' of ', ' in ')} include ${listed.join(', ')}.`;
}

function show(text: string): string {
  return truncate(quoteString(text), MAX_WIDTH);
}
