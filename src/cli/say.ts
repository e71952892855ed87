import { printable } from '../util/printable.ts';

/** Tells people something, on standard error. Names and values from outside are made safe for a terminal. */
export function say(kind: 'warning' | 'error', message: string): void {
  process.stderr.write(`${kind}: ${printable(message)}\n`);
}
