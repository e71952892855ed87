import type { Properties } from '../../lang/value.ts';

/** A line of a log of events: what columns of their own hold, and the properties as they were imported, without the token. */
export interface EventLine {
  readonly event: string;
  /** Unix seconds. */
  readonly time: number;
  /** `properties.distinct_id`, a number as its text. */
  readonly distinct_id: string;
  /** `properties.$insert_id`, a number as its text; left out where there is none. */
  readonly insert_id?: string;
  /** Well-formed texts, each name once, finite numbers: as `JSON.stringify` writes them. */
  readonly properties: Properties;
}

/** A line of a log of people: an update as it was imported, without the token. Its operations apply in their order. */
export interface PersonLine {
  readonly $distinct_id: string;
  readonly [operation: `$${string}`]: unknown;
}
