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
    this.strings = new LruCache(cacheBytes, () => undefined);
    // The next start removes a file that remains.
    this.files = new LruCache(cacheFileBytes, (file) => void file.remove().catch(() => undefined));
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

/** An LRU cache limited by the total bytes of its entries. */
class LruCache<Entry> {
  private readonly entries = new Map<string, { readonly entry: Entry; readonly bytes: number }>();
  private bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly onEvict: (entry: Entry) => void,
  ) {}

  get(key: string): Entry | undefined {
    const kept = this.entries.get(key);
    if (kept === undefined) return undefined;
    // A map keeps insertion order.
    this.entries.delete(key);
    this.entries.set(key, kept);
    return kept.entry;
  }

  set(key: string, entry: Entry, bytes: number): void {
    this.evict(key);
    if (bytes > this.maxBytes) {
      this.onEvict(entry);
      return;
    }
    this.entries.set(key, { entry, bytes });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) return;
      this.evict(oldest);
    }
  }

  private evict(key: string): void {
    const kept = this.entries.get(key);
    if (kept === undefined) return;
    this.entries.delete(key);
    this.bytes -= kept.bytes;
    this.onEvict(kept.entry);
  }
}
