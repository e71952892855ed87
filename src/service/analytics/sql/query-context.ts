import type { QueryMoment } from '../../store/filter-snapshot.ts';
import type { StoreSnapshot } from '../../store/store-snapshot.ts';

/** The data and the time that queries run on. */
export interface QueryContext extends QueryMoment {
  readonly snapshot: StoreSnapshot;
}
