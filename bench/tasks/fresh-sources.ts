import { type FilterTemplate, varyConstants } from '../dialect.ts';
import type { Engine } from '../engines/engine.ts';

/** Sources of a filter that the engine has not compiled before. Each has other constants. */
export class FreshSources {
  private sources: string[] = [];
  private serial = 0;

  constructor(
    private readonly engine: Engine,
    private readonly filter: FilterTemplate,
  ) {}

  /** Writes sources in advance, outside the timed work. */
  prepare(count: number): void {
    this.sources = Array.from({ length: count }, () => this.engine.write(varyConstants(this.filter, ++this.serial)));
  }

  /** Returns one of the prepared sources. */
  take(): string {
    const source = this.sources.pop();
    if (source === undefined) throw new Error('No source is prepared.');
    return source;
  }
}
