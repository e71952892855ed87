/** Milliseconds: enough for V8 to have optimised what it will. */
const WARM_UP = 200;
const ROUND = 20;

/** Work that is repeated. What gives promises is awaited. */
export interface Work {
  readonly run: () => unknown;
  /** Called before so many runs, outside the time. */
  readonly prepare?: (runs: number) => void;
}

/**
 * Work at its pace: a round has as many runs as take about 20 ms, so that the clock is fine enough and a
 * disturbance is soon over.
 */
export class Pace {
  private constructor(
    private readonly work: Work,
    private readonly runs: number,
  ) {}

  /** Warms the work up and finds its pace. */
  static async of(work: Work): Promise<Pace> {
    let pace = new Pace(work, 1);
    for (let spent = 0; spent < WARM_UP; ) {
      const perRun = await pace.round();
      spent += perRun * pace.runs;
      pace = new Pace(work, Math.max(1, Math.min(pace.runs * 10, Math.round(ROUND / perRun))));
    }
    return pace;
  }

  /** Milliseconds of one run. */
  async round(): Promise<number> {
    this.work.prepare?.(this.runs);
    const start = performance.now();
    for (let run = 0; run < this.runs; run++) {
      const answer = this.work.run();
      if (answer instanceof Promise) await answer;
    }
    return (performance.now() - start) / this.runs;
  }
}
