import type { StoreSnapshot } from '../store/store-snapshot.ts';

/** The data and the time that queries run on. */
export interface QueryContext {
  readonly reading: StoreSnapshot;
  /** The IANA name of the time zone that defines days. */
  readonly timeZone: string;
  /** The current time, in Unix seconds. */
  readonly now: number;
}
