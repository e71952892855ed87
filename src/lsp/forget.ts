/** Lets a message go without waiting for it: what a client refuses it does without, and that a client is gone shows elsewhere. */
export function ignoreFailure(sent: Promise<unknown>): void {
  sent.catch(() => undefined);
}
