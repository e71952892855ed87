import { check } from '../../../api/expressions.ts';
import { getCurrentTime } from '../../../base/current-time.ts';
import { listNamedInRequest } from '../../../queries/absent-names.ts';
import type { OpenAnswer } from '../../../queries/answer-stream.ts';
import type { Queries, QueryJob, QueryName, RequestOf, ResultOf } from '../../../queries/requests.ts';
import type { SnapshotOptions, StoreSnapshot } from '../../store/store-snapshot.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { AnswerCache, type CacheLimits } from './answer-cache.ts';
import { QueryQueue, type QueueLimits } from './query-queue.ts';
import { StoredAnswer } from './stored-answer.ts';

export interface QueryLimits extends QueueLimits, CacheLimits {}

/** The data that a query reads. */
export interface QueryTarget {
  /** The project that owns the data. Projects take turns in the queue. */
  readonly project: string;
  readonly timeZone: string;
  /** Returns a string that identifies the data and changes with it. */
  state(): Promise<string>;
  /** Returns a string that identifies the versions of the data. Imports into a version do not change it. */
  versions(): Promise<string>;
  read<Result>(work: (snapshot: StoreSnapshot) => Promise<Result>, options: SnapshotOptions): Promise<Result>;
}

/** Runs queries with a queue, a time limit and a cache of answers. */
export class QueryExecutor {
  readonly turns: QueryQueue;
  private readonly cache: AnswerCache;

  constructor(
    limits: QueryLimits,
    /** A folder only for long answers. */
    private readonly folder: string,
    private readonly createQueries: (context: QueryContext) => Queries,
    private readonly clock = getCurrentTime,
  ) {
    this.turns = new QueryQueue(limits);
    this.cache = new AnswerCache(limits);
  }

  /**
   * Returns the answer of a query. A long one is read from a file.
   *
   * @throws {QueryError} for an invalid query
   * @throws {QueryLimitError} if the queue is full or the query takes too long
   * @throws the reason of the signal
   */
  async ask<Name extends QueryName>(
    data: QueryTarget,
    job: QueryJob<Name>,
    signal: AbortSignal,
  ): Promise<string | OpenAnswer> {
    const { name, request, format } = job;
    const now = this.clock();
    const key = JSON.stringify([await data.state(), name, request, format, getClockKey(name, request, now)]);
    const read = (snapshot: StoreSnapshot) => {
      const queries = this.createQueries({ snapshot, timeZone: data.timeZone, now });
      const query = queries[name] as (request: RequestOf<Name>) => Promise<ResultOf<Name>>;
      return query.call(queries, request);
    };
    const answer = async (limited: AbortSignal) => {
      const result = await data.read(read, { signal: limited });
      return StoredAnswer.of(job.write(result), this.folder, limited);
    };
    return this.cache.answer(key, (wanted) => this.turns.take(data.project, answer, wanted), signal);
  }
}

/**
 * Returns the clock value that the result depends on: seconds if an expression reads `now`, the minute for relative
 * periods, otherwise undefined.
 */
function getClockKey(name: QueryName, request: object, now: number): number | undefined {
  if (listNamedInRequest(request).sources.some((source) => check(source).readsTime)) return now;
  const isRelative =
    name === 'topEvents' || name === 'eventNames' || ('period' in request && 'latest' in (request.period as object));
  return isRelative ? now - (now % 60) : undefined;
}
