import { type Question, varied } from '../dialect.ts';
import type { Engine } from '../engines/engine.ts';

/** Texts of a question that nobody has compiled before: each has other constants in it. */
export class FreshTexts {
  private texts: string[] = [];
  private serial = 0;

  constructor(
    private readonly engine: Engine,
    private readonly question: Question,
  ) {}

  /** Writes texts ahead, outside the time that is taken. */
  prepare(count: number): void {
    this.texts = Array.from({ length: count }, () => this.engine.write(varied(this.question, ++this.serial)));
  }

  /** One that was written ahead. */
  take(): string {
    const text = this.texts.pop();
    if (text === undefined) throw new Error('No text was written ahead');
    return text;
  }
}
