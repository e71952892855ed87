import type { CheckedExpressions } from '../../../queries/checked-expressions.ts';
import type { QueryMoment } from '../../store/filter-snapshot.ts';
import type { StoreSnapshot } from '../../store/store-snapshot.ts';

/** The data and the time that queries run on. */
export interface QueryContext extends QueryMoment {
  readonly snapshot: StoreSnapshot;
  /** The expressions of the request, if some are parsed already. */
  readonly expressions?: CheckedExpressions;
}
