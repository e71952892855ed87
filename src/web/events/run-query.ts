import { compileBatchOn, compileBatchWhere } from '../../api/batches.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { countRecordSegments } from './count-record-segments.ts';
import type { EventsQuery, EventsResult, QueryFailure } from './messages.ts';
import type { RecordColumns } from './record-columns.ts';

/** The result of a query, and which events it selects. */
export interface QueryRun {
  readonly result: EventsResult;
  /** The indexes of the selected events, and of the others, as far as the query came. */
  readonly matching: Uint32Array;
  readonly others: Uint32Array;
}

/** Runs a query over the events. A type error ends it; the events before it count. */
export function runQuery(columns: RecordColumns, query: EventsQuery): QueryRun {
  const { where, on, now, timeZone } = query;
  const options = { now, timeZone };
  const select = where.trim() === '' ? undefined : compileBatchWhere(where, options);
  const segment = on.trim() === '' ? undefined : compileBatchOn(on, options);
  const batch = columns.createBatch([...(select?.properties ?? []), ...(segment?.properties ?? [])]);
  const all = new Uint32Array(columns.length);
  for (let row = 0; row < all.length; row++) all[row] = row;
  const selected = evaluate(all, (rows) => (select === undefined ? rows : select(batch, rows)));
  const segmented = segment && evaluate(selected.result, (rows) => segment(batch, rows));
  const isWhole = segmented?.failure === undefined;
  const matching = isWhole ? selected.result : selected.result.subarray(0, segmented.failure.at + 1);
  const failed = isWhole ? selected.failure : { ...segmented.failure, at: matching.at(-1) as number };
  const reached = isWhole ? (failed?.at ?? columns.length) : (matching.at(-1) as number) + 1;
  const failure = failed && describeFailure(failed, isWhole ? 'where' : 'on');
  const segments =
    segmented === undefined || failure !== undefined
      ? undefined
      : countRecordSegments(columns, matching, segmented.result, query);
  const result = {
    query,
    events: columns.length,
    matching: matching.length,
    users: countUsers(columns, matching),
    segments,
    failure,
  };
  return { result, matching, others: subtract(all.subarray(0, reached), matching) };
}

interface Failure {
  /** The position of the row that raised it. */
  readonly at: number;
  readonly error: ExpressionTypeError;
}

/** Evaluates an expression on rows, up to the first on which it fails. */
function evaluate<Result>(
  rows: Uint32Array,
  work: (rows: Uint32Array) => Result,
): { readonly result: Result; readonly failure: Failure | undefined } {
  const tryWork = (count: number): Result | ExpressionTypeError => {
    try {
      return work(rows.subarray(0, count));
    } catch (error) {
      if (error instanceof ExpressionTypeError) return error;
      throw error;
    }
  };
  let found = tryWork(rows.length);
  if (!(found instanceof ExpressionTypeError)) return { result: found, failure: undefined };
  let error = found;
  let [low, high] = [0, rows.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    found = tryWork(middle);
    if (found instanceof ExpressionTypeError) [high, error] = [middle, found];
    else low = middle;
  }
  return { result: work(rows.subarray(0, low)), failure: { at: low, error } };
}

function describeFailure({ at, error }: Failure, part: QueryFailure['part']): QueryFailure {
  const { source, operator, found, span } = error;
  return { index: at, part, source, operator, found, span };
}

function countUsers({ numberedUsers: users }: RecordColumns, rows: Uint32Array): number {
  const seen = new Uint8Array(users.count);
  let count = 0;
  for (const row of rows) {
    const user = users.codes[row] as number;
    if (user === -1) continue;
    count += 1 - (seen[user] as number);
    seen[user] = 1;
  }
  return count;
}

/** Returns the rows that are not among others. Both are in order. */
function subtract(rows: Uint32Array, others: Uint32Array): Uint32Array {
  const left = new Uint32Array(rows.length - others.length);
  let [at, count] = [0, 0];
  for (const row of rows) {
    if (row === others[at]) at++;
    else left[count++] = row;
  }
  return left;
}
