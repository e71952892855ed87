import type { Diagnostic } from '../language/diagnostic.ts';
import { formatInteger } from '../util/counted.ts';
import { escapeUnprintable } from '../util/printable.ts';
import type { Io } from './io.ts';

/** Tells people something, on standard error. Names and values from outside are made safe for a terminal. */
export function printMessage({ err }: Io, kind: 'warning' | 'error', message: string): void {
  err.write(`${kind}: ${escapeUnprintable(message)}\n`);
}

/** Tells that records were left out for what they lack. */
export function warnOfMissing(io: Io, records: number, lacking: string): void {
  if (records === 0) return;
  const [have, are] = records === 1 ? ['record has', 'is'] : ['records have', 'are'];
  printMessage(io, 'warning', `${formatInteger(records)} ${have} no ${lacking} and ${are} left out`);
}

/** Tells what cannot have been meant in an expression. */
export function printWarning(
  { err }: Io,
  { source, diagnostics }: { source: string; diagnostics: readonly Diagnostic[] },
): void {
  if (diagnostics.length > 0) err.write(`${err.rendered(source, diagnostics)}\n`);
}
