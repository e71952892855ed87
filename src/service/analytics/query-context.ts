import type { StoreSnapshot } from '../store/store-snapshot.ts';

/** What queries are asked of. */
export interface QueryContext {
  readonly reading: StoreSnapshot;
  /** The IANA name of the zone that days are in. */
  readonly timeZone: string;
  /** The present, in Unix seconds. */
  readonly now: number;
}
