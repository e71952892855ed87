import type { KnownValue } from '../../lang/check/schema.ts';

/** The parts of a record that have properties. */
export const PROPERTY_SCOPES = ['properties', 'user'] as const;

export type PropertyScope = (typeof PROPERTY_SCOPES)[number];

/** The name of a property, and the number of records that have it. */
export interface CountedName {
  readonly name: string;
  readonly count: number;
}

/** A value of a property, written like the name of a segment, and the number of events that have it. */
export interface CountedValue {
  readonly value: string;
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'list';
  readonly count: number;
}

/** Counts the properties and values of events: in a file or on a server. */
export interface PropertyCatalog {
  /** Returns the most frequent properties of all events or of people. */
  getAllProperties(scope: PropertyScope): Promise<readonly CountedName[]>;
  /** Returns the most frequent values of a property. */
  getValues(scope: PropertyScope, name: string): Promise<readonly CountedValue[]>;
  /** Returns the types of properties in some of the events, by name. The values of other events can have others. */
  getTypes?(): Promise<ReadonlyMap<string, string>>;
}

/** Returns the value that a name stands for; undefined for null and for the element of a list, whose type is not known. */
export function toKnownValue({ value, type }: CountedValue): KnownValue | undefined {
  switch (type) {
    case 'string':
      return value;
    case 'number':
      return Number(value);
    case 'boolean':
      return value === 'true';
    default:
      return undefined;
  }
}
