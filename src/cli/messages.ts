import type { Diagnostic } from '../lang/diagnostic.ts';
import { escapeUnprintable, formatInteger, pluralize } from '../lang/util/strings.ts';
import type { BrokenRecord } from './input/read-file.ts';
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

/** Those that are named one by one; of the rest, only the number is told. */
const NAMED = 10;

/** Tells of the records that cannot be read. */
export class BrokenRecords {
  private count = 0;

  constructor(private readonly io: Io) {}

  add({ file, line, reason }: BrokenRecord): void {
    this.count++;
    if (this.count <= NAMED) printMessage(this.io, 'warning', `${file}:${line}: ${reason}; skipped`);
  }

  /** To be called at the end. */
  tell(): void {
    if (this.count > 0) printMessage(this.io, 'warning', `${pluralize(this.count, 'broken record')} skipped`);
  }
}
