import { getCurrentTime } from '../../../base/current-time.ts';
import { LruCache } from '../../../base/lru-cache.ts';
import type { OpenAnswer } from '../../../queries/answer-stream.ts';
import { CheckedExpressions } from '../../../queries/checked-expressions.ts';
import type { Queries, QueryJob, QueryName, RequestOf, ResultOf } from '../../../queries/requests.ts';
import type { SnapshotOptions, StoreSnapshot } from '../../store/store-snapshot.ts';
import type { QueryContext } from '../sql/query-context.ts';
import { AnswerCache, type CacheLimits } from './answer-cache.ts';
import { type NormalRequest, normalizeRequest } from './normalize-request.ts';
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

/** The requests whose normal form is kept, and their characters. */
const MAX_REQUESTS = 1_000;
const MAX_REQUEST_CHARACTERS = 4_000_000;

/** Runs queries with a queue, a time limit and a cache of answers. */
export class QueryExecutor {
  readonly turns: QueryQueue;
  private readonly cache: AnswerCache;
  private readonly normalRequests = new LruCache<NormalRequest>(MAX_REQUEST_CHARACTERS, MAX_REQUESTS);

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

  /** How many answers came from the cache, and how many did not. */
  get cached(): Pick<AnswerCache, 'hits' | 'misses'> {
    return this.cache;
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
    const { timeZone } = data;
    const expressions = new CheckedExpressions(timeZone);
    const written = JSON.stringify([timeZone, request]);
    const normal =
      this.normalRequests.get(written) ?? this.normalRequests.set(written, normalizeRequest(request, expressions));
    const clock = normal.readsTime ? now : getRelativeTime(name, request, now);
    const about = JSON.stringify([await data.state(), timeZone, name, format, clock]);
    const key = { question: about + JSON.stringify(normal.request), spelling: about + written };
    const read = (snapshot: StoreSnapshot) => {
      const queries = this.createQueries({ snapshot, timeZone, now, expressions });
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

/** Returns the minute of a request for a relative period, whose answer changes with the time; otherwise undefined. */
function getRelativeTime(name: QueryName, request: object, now: number): number | undefined {
  const isRelative =
    name === 'topEvents' || name === 'eventNames' || ('period' in request && 'latest' in (request.period as object));
  return isRelative ? now - (now % 60) : undefined;
}
