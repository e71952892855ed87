/** Milliseconds: enough for the optimizations of V8. */
const WARM_UP = 200;
const ROUND = 20;

/** Work to repeat. Promises are awaited. */
export interface Work {
  readonly run: () => unknown;
  /** Called before the given number of runs, outside the timed work. */
  readonly prepare?: (runs: number) => void;
}

/**
 * Times work in rounds. A round has as many runs as fit into about 20 ms: long enough for the clock, and short enough
 * that a disturbance affects few rounds.
 */
export class Pace {
  private constructor(
    private readonly work: Work,
    private readonly runs: number,
  ) {}

  /** Warms up the work and finds the number of runs per round. */
  static async of(work: Work): Promise<Pace> {
    let pace = new Pace(work, 1);
    for (let spent = 0; spent < WARM_UP; ) {
      const perRun = await pace.round();
      spent += perRun * pace.runs;
      pace = new Pace(work, Math.max(1, Math.min(pace.runs * 10, Math.round(ROUND / perRun))));
    }
    return pace;
  }

  /** Runs a round; returns the milliseconds per run. */
  async round(): Promise<number> {
    this.work.prepare?.(this.runs);
    const start = performance.now();
    for (let run = 0; run < this.runs; run++) {
      const result = this.work.run();
      if (result instanceof Promise) await result;
    }
    return (performance.now() - start) / this.runs;
  }
}
