import type { Properties } from '../../lang/value.ts';

/** A line of the event log: the values with columns of their own, and the imported properties without the token. */
export interface EventLine {
  readonly event: string;
  /** Unix seconds. */
  readonly time: number;
  /** `properties.distinct_id`; a number is converted to a string. */
  readonly distinct_id: string;
  /** `properties.$insert_id`; a number is converted to a string. Absent if the event has none. */
  readonly insert_id?: string;
  /** As `JSON.stringify` writes them: well-formed strings, unique keys, finite numbers. */
  readonly properties: Properties;
}

/** A line of the people log: an imported update without the token. Its operations apply in order. */
export interface PersonLine {
  readonly $distinct_id: string;
  readonly [operation: `$${string}`]: unknown;
}
