import { type FilterTemplate, varyConstants } from '../dialect.ts';
import type { Engine } from '../engines/engine.ts';

/** Texts of a question that nobody has compiled before: each has other constants in it. */
export class FreshSources {
  private texts: string[] = [];
  private serial = 0;

  constructor(
    private readonly engine: Engine,
    private readonly filter: FilterTemplate,
  ) {}

  /** Writes texts ahead, outside the time that is taken. */
  prepare(count: number): void {
    this.texts = Array.from({ length: count }, () => this.engine.write(varyConstants(this.filter, ++this.serial)));
  }

  /** One that was written ahead. */
  take(): string {
    const text = this.texts.pop();
    if (text === undefined) throw new Error('No text was written ahead');
    return text;
  }
}
