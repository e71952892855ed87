import { unlessAborted } from '../util/unless-aborted.ts';

/** What a text has besides its characters. */
const ENTRY_BYTES = 100;

interface Question {
  readonly answer: Promise<string>;
  readonly work: AbortController;
  askers: number;
}

/** Keeps the answers that were asked for last, up to a number of bytes. A question that is asked while it is worked on is not worked on twice. */
export class AnswerCache {
  private readonly kept = new Map<string, { readonly answer: string; readonly bytes: number }>();
  private readonly underWay = new Map<string, Question>();
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  /**
   * The answer of a question, found by `find` where it is not kept. The signal that `find` is given comes when the last of those who
   * ask has given up.
   */
  async answer(key: string, find: (signal: AbortSignal) => Promise<string>, signal: AbortSignal): Promise<string> {
    const kept = this.kept.get(key);
    if (kept !== undefined) {
      // A map keeps the order of insertion.
      this.kept.delete(key);
      this.kept.set(key, kept);
      return kept.answer;
    }
    const question = this.underWay.get(key) ?? this.begin(key, find);
    question.askers++;
    try {
      return await unlessAborted(signal, question.answer);
    } finally {
      question.askers--;
      if (question.askers === 0) {
        question.work.abort(signal.reason);
        if (this.underWay.get(key) === question) this.underWay.delete(key);
      }
    }
  }

  private begin(key: string, find: (signal: AbortSignal) => Promise<string>): Question {
    const work = new AbortController();
    const answer = find(work.signal).then((found) => {
      this.keep(key, found);
      return found;
    });
    const question = { answer, work, askers: 0 };
    this.underWay.set(key, question);
    return question;
  }

  private keep(key: string, answer: string): void {
    const bytes = 2 * (key.length + answer.length) + ENTRY_BYTES;
    if (bytes > this.mostBytes) return;
    this.kept.set(key, { answer, bytes });
    this.bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.kept) {
      if (this.bytes <= this.mostBytes) return;
      this.kept.delete(oldest);
      this.bytes -= freed;
    }
  }
}
