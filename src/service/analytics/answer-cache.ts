import { raceAbort } from '../../lang/util/race-abort.ts';
import type { OpenAnswer, StoredAnswer } from './stored-answer.ts';

/** What a text has besides its characters. */
const ENTRY_BYTES = 100;

type Answer = string | StoredAnswer;

interface Question {
  readonly answer: Promise<Answer>;
  readonly work: AbortController;
  askers: number;
}

/** The room for answers that are kept. */
export interface CacheLimits {
  /** In memory. */
  readonly cacheBytes: number;
  /** Of those in files. */
  readonly cacheFileBytes: number;
}

/** Keeps the answers that were asked for last, up to a number of bytes. A question that is asked while it is worked on is not worked on twice. */
export class AnswerCache {
  private readonly texts: Kept<string>;
  private readonly files: Kept<StoredAnswer>;
  private readonly underWay = new Map<string, Question>();

  constructor({ cacheBytes, cacheFileBytes }: CacheLimits) {
    this.texts = new Kept(cacheBytes, () => undefined);
    // A file that is still there at the next start is removed then.
    this.files = new Kept(cacheFileBytes, (file) => void file.remove().catch(() => undefined));
  }

  /**
   * The answer of a question, found by `find` where it is not kept. The signal that `find` is given comes when the last of those who
   * ask has given up.
   */
  async answer(
    key: string,
    find: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<string | OpenAnswer> {
    const answer = this.texts.get(key) ?? this.files.get(key) ?? (await this.find(key, find, signal));
    return typeof answer === 'string' ? answer : answer.open();
  }

  private async find(
    key: string,
    find: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const question = this.underWay.get(key) ?? this.begin(key, find);
    question.askers++;
    try {
      return await raceAbort(signal, question.answer);
    } finally {
      question.askers--;
      if (question.askers === 0) {
        question.work.abort(signal.reason);
        if (this.underWay.get(key) === question) this.underWay.delete(key);
      }
    }
  }

  private begin(key: string, find: (signal: AbortSignal) => Promise<Answer>): Question {
    const work = new AbortController();
    const answer = find(work.signal).then((found) => {
      if (typeof found === 'string') this.texts.keep(key, found, 2 * (key.length + found.length) + ENTRY_BYTES);
      else this.files.keep(key, found, found.bytes);
      return found;
    });
    const question = { answer, work, askers: 0 };
    this.underWay.set(key, question);
    return question;
  }
}

/** Entries of so many bytes together, those that were used last. */
class Kept<Entry> {
  private readonly entries = new Map<string, { readonly entry: Entry; readonly bytes: number }>();
  private bytes = 0;

  constructor(
    private readonly mostBytes: number,
    private readonly onForget: (entry: Entry) => void,
  ) {}

  get(key: string): Entry | undefined {
    const kept = this.entries.get(key);
    if (kept === undefined) return undefined;
    // A map keeps the order of insertion.
    this.entries.delete(key);
    this.entries.set(key, kept);
    return kept.entry;
  }

  keep(key: string, entry: Entry, bytes: number): void {
    this.forget(key);
    if (bytes > this.mostBytes) {
      this.onForget(entry);
      return;
    }
    this.entries.set(key, { entry, bytes });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.mostBytes) return;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    const kept = this.entries.get(key);
    if (kept === undefined) return;
    this.entries.delete(key);
    this.bytes -= kept.bytes;
    this.onForget(kept.entry);
  }
}
