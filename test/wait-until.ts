import { vi } from 'vitest';

/** Waits until the check no longer throws. It has a minute: a machine with other work is slow. */
export function waitUntil(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}
