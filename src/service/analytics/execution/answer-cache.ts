import { LruCache } from '../../../base/lru-cache.ts';
import type { OpenAnswer } from '../../../queries/answer-stream.ts';
import { raceAbort } from '../../locks/race-abort.ts';
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

/** An LRU cache of answers, limited in bytes. Concurrent requests for the same answer share one computation. */
export class AnswerCache {
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
    key: string,
    find: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<string | OpenAnswer> {
    const answer = this.strings.get(key) ?? this.files.get(key) ?? (await this.find(key, find, signal));
    return typeof answer === 'string' ? answer : answer.open();
  }

  private async find(
    key: string,
    find: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const pending = this.pending.get(key) ?? this.begin(key, find);
    pending.callers++;
    try {
      return await raceAbort(signal, pending.answer);
    } finally {
      pending.callers--;
      if (pending.callers === 0) {
        pending.work.abort(signal.reason);
        if (this.pending.get(key) === pending) this.pending.delete(key);
      }
    }
  }

  private begin(key: string, find: (signal: AbortSignal) => Promise<Answer>): PendingAnswer {
    const work = new AbortController();
    const answer = find(work.signal).then((found) => {
      if (typeof found === 'string') this.strings.set(key, found, 2 * (key.length + found.length) + ENTRY_BYTES);
      else this.files.set(key, found, found.bytes);
      return found;
    });
    const pending = { answer, work, callers: 0 };
    this.pending.set(key, pending);
    return pending;
  }
}
