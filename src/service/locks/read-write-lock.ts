/** A lock that has many readers or one writer. Waiting writers go before waiting readers. */
export class ReadWriteLock {
  private readers = 0;
  private isWriting = false;
  private waiting: { readonly isWriter: boolean; readonly enter: () => void }[] = [];

  /**
   * Waits for the lock, as a writer or as a reader. Returns a function that releases it; later calls do nothing.
   *
   * @throws the reason of the signal if it aborts first.
   */
  async enter(isWriter: boolean, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const waiter = { isWriter, enter: () => enter() };
      const giveUp = () => {
        this.waiting = this.waiting.filter((other) => other !== waiter);
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
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (isWriter) this.isWriting = false;
      else this.readers--;
      this.admit();
    };
  }

  private admit(): void {
    while (!this.isWriting) {
      const next = this.waiting.find((waiter) => waiter.isWriter) ?? this.waiting[0];
      if (next === undefined || (next.isWriter && this.readers > 0)) return;
      this.waiting = this.waiting.filter((waiter) => waiter !== next);
      if (next.isWriter) this.isWriting = true;
      else this.readers++;
      next.enter();
    }
  }
}
