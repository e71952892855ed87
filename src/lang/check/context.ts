import type { TimeZone } from '../operators/time-zone.ts';
import type { Schema } from './schema.ts';

/** The part of the input that is the same for all records. */
export interface PartialInput {
  /** Known properties of the event. The value `undefined` means that the property is missing. */
  readonly properties?: object | undefined;
  /** Known properties of its user. */
  readonly user?: object | undefined;
  /** The time of the query, in Unix seconds. */
  readonly now?: number | undefined;
}

/** Facts about the records of an expression and about its query. */
export interface CheckContext {
  readonly schema?: Schema | undefined;
  readonly given?: PartialInput | undefined;
  readonly timeZone?: TimeZone | undefined;
}
