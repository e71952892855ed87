/** Does one thing after another, in the order in which they were asked for. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Does `work` when everything before it is done, well or not. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
