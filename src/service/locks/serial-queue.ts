/** Runs asynchronous tasks one after another, in the order in which they were added. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `work` once all earlier tasks have ended, including those that failed. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
