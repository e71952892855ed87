/** Lets many go on together, or one alone. Whoever wants to be alone goes before others who wait. */
export class ReadWriteLock {
  private together = 0;
  private isAlone = false;
  private waiting: { readonly alone: boolean; readonly enter: () => void }[] = [];

  /**
   * Waits for the time when one may go on, and answers what to call at its end; twice is as good as once.
   *
   * @throws the reason of the signal where that comes first.
   */
  async enter(alone: boolean, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const waiter = { alone, enter: () => enter() };
      const giveUp = () => {
        this.waiting = this.waiting.filter((one) => one !== waiter);
        this.admit();
        reject(signal?.reason);
      };
      const enter = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      signal?.addEventListener('abort', giveUp);
      this.waiting.push(waiter);
      this.admit();
    });
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      if (alone) this.isAlone = false;
      else this.together--;
      this.admit();
    };
  }

  private admit(): void {
    while (!this.isAlone) {
      const next = this.waiting.find(({ alone }) => alone) ?? this.waiting[0];
      if (next === undefined || (next.alone && this.together > 0)) return;
      this.waiting = this.waiting.filter((one) => one !== next);
      if (next.alone) this.isAlone = true;
      else this.together++;
      next.enter();
    }
  }
}
