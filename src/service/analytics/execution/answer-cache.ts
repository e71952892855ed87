import { LruCache } from '../../../base/lru-cache.ts';
import type { OpenAnswer } from '../../../queries/answer-stream.ts';
import { raceAbort } from '../../locks/race-abort.ts';
import { noteTrace } from '../query-trace.ts';
import type { StoredAnswer } from './stored-answer.ts';

/** The memory of a cached string besides its characters. */
const ENTRY_BYTES = 100;

type Answer = string | StoredAnswer;

interface PendingAnswer {
  readonly answer: Promise<Answer>;
  readonly work: AbortController;
  callers: number;
}

/** The size limits of the cache. */
export interface CacheLimits {
  /** For answers in memory. */
  readonly cacheBytes: number;
  /** For answers in files. */
  readonly cacheFileBytes: number;
}

/** Identifies the answer of a request, and its errors. */
export interface AnswerKey {
  /** Requests with the same have the same answer. */
  readonly question: string;
  /** Requests with the same also fail alike: errors point into expressions as they are written. */
  readonly spelling: string;
}

/**
 * An LRU cache of answers, limited in bytes. Concurrent requests that are spelled the same share one computation, and its
 * error. Errors are not cached.
 */
export class AnswerCache {
  /** The number of answers that were found. */
  hits = 0;
  /** The number of answers that were not, also of those that another request was already computing. */
  misses = 0;
  private readonly strings: LruCache<string>;
  private readonly files: LruCache<StoredAnswer>;
  private readonly pending = new Map<string, PendingAnswer>();

  constructor({ cacheBytes, cacheFileBytes }: CacheLimits) {
    this.strings = new LruCache(cacheBytes, Infinity);
    // The next start removes a file that remains.
    this.files = new LruCache(cacheFileBytes, Infinity, (file) => void file.remove().catch(() => undefined));
  }

  /**
   * Returns a cached answer, or computes it with `find`. The signal passed to `find` is aborted when the last caller
   * has given up.
   */
  async answer(
    key: AnswerKey,
    find: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<string | OpenAnswer> {
    const cached = this.strings.get(key.question) ?? this.files.get(key.question);
    if (cached === undefined) this.misses++;
    else this.hits++;
    noteTrace((trace) => {
      if (cached === undefined) trace.answer = 'computed';
      else trace.answer ??= 'cached';
    });
    const answer = cached ?? (await this.find(key, find, signal));
    return typeof answer === 'string' ? answer : answer.open();
  }

  private async find(
    key: AnswerKey,
    find: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { spelling } = key;
    const pending = this.pending.get(spelling) ?? this.begin(key, find);
    pending.callers++;
    try {
      return await raceAbort(signal, pending.answer);
    } finally {
      pending.callers--;
      if (pending.callers === 0) {
        pending.work.abort(signal.reason);
        if (this.pending.get(spelling) === pending) this.pending.delete(spelling);
      }
    }
  }

  private begin({ question, spelling }: AnswerKey, find: (signal: AbortSignal) => Promise<Answer>): PendingAnswer {
    const work = new AbortController();
    const answer = find(work.signal).then((found) => {
      if (typeof found === 'string')
        this.strings.set(question, found, 2 * (question.length + found.length) + ENTRY_BYTES);
      else this.files.set(question, found, found.bytes);
      return found;
    });
    const pending = { answer, work, callers: 0 };
    this.pending.set(spelling, pending);
    return pending;
  }
}
