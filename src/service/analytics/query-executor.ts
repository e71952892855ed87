import { getCurrentTime } from '../../lang/util/current-time.ts';
import type { SnapshotOptions, StoreSnapshot } from '../store/store-snapshot.ts';
import { AnswerCache, type CacheLimits } from './answer-cache.ts';
import type { Queries } from './queries.ts';
import type { QueryContext } from './query-context.ts';
import { QueryQueue, type QueueLimits } from './query-queue.ts';
import { type OpenAnswer, StoredAnswer } from './stored-answer.ts';

export interface QueryLimits extends QueueLimits, CacheLimits {}

/** The data that a query is asked of. */
export interface QueryTarget {
  /** The name of the project whose data they are, and whose turn the query takes. */
  readonly project: string;
  readonly timeZone: string;
  /** Tells these data from all others, and stays the same as long as all answers do. */
  state(): Promise<string>;
  read<Result>(work: (reading: StoreSnapshot) => Promise<Result>, options: SnapshotOptions): Promise<Result>;
}

export type QueryName = keyof Queries;
export type RequestOf<Name extends QueryName> = Parameters<Queries[Name]>[0];
export type ResultOf<Name extends QueryName> = Awaited<ReturnType<Queries[Name]>>;

/** A query, and how its answer is written. */
export interface QueryJob<Name extends QueryName> {
  readonly name: Name;
  readonly request: RequestOf<Name>;
  /** Tells ways to write the same result from each other. */
  readonly format: string;
  /** The text, piece by piece: others are answered between two of them. */
  write(result: ResultOf<Name>): Iterable<string>;
}

/** Where queries are asked: each has its turn and a limit of time, and an answer that was given is given again while it holds. */
export class QueryExecutor {
  readonly turns: QueryQueue;
  private readonly cache: AnswerCache;

  constructor(
    limits: QueryLimits,
    /** Where long answers are written; nothing else is there. */
    private readonly folder: string,
    private readonly queriesOf: (scope: QueryContext) => Queries,
    private readonly clock = getCurrentTime,
  ) {
    this.turns = new QueryQueue(limits);
    this.cache = new AnswerCache(limits);
  }

  /**
   * The answer of a query. A long one is read from a file.
   *
   * @throws {QueryError} where the query has a mistake; {@link QueryLimitError}; the reason of the signal
   */
  async ask<Name extends QueryName>(
    data: QueryTarget,
    question: QueryJob<Name>,
    signal: AbortSignal,
  ): Promise<string | OpenAnswer> {
    const { name, request, format } = question;
    const now = this.clock();
    const key = JSON.stringify([await data.state(), name, request, format, readClockOf(name, request, now)]);
    const read = (reading: StoreSnapshot) => {
      const queries = this.queriesOf({ reading, timeZone: data.timeZone, now });
      const query = queries[name] as (request: RequestOf<Name>) => Promise<ResultOf<Name>>;
      return query.call(queries, request);
    };
    const answer = async (limited: AbortSignal) => {
      const result = await data.read(read, { signal: limited });
      return StoredAnswer.of(question.write(result), this.folder, limited);
    };
    return this.cache.answer(key, (wanted) => this.turns.take(data.project, answer, wanted), signal);
  }
}

/** What of the present an answer depends on. No unit of time is shorter than a minute, but expressions may read the second. */
function readClockOf(name: QueryName, request: object, now: number): number | undefined {
  if (/\bnow\b/i.test(JSON.stringify(request))) return now;
  const isOfPresent =
    name === 'topEvents' || name === 'eventNames' || ('period' in request && 'latest' in (request.period as object));
  return isOfPresent ? now - (now % 60) : undefined;
}
