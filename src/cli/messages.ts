import { escapeUnprintable, formatInteger, pluralize } from '../base/strings.ts';
import type { MissingField } from '../data/event-record.ts';
import { NOT_UTF8 } from '../data/problems.ts';
import type { Diagnostic } from '../lang/diagnostic.ts';
import { adviseEncoding } from './input/input-error.ts';
import type { BrokenRecord } from './input/read-file.ts';
import type { Io } from './io.ts';

/** Prints a message to standard error. Escapes control characters, so that names and values cannot drive a terminal. */
export function printMessage({ err }: Io, kind: 'note' | 'warning' | 'error', message: string): void {
  err.write(`${err.label(kind)} ${escapeUnprintable(message)}\n`);
}

/** Warns that records were skipped because they lack a field, or have none that can be read in its column. */
export function warnOfMissing(io: Io, records: number, field: MissingField, column: string | undefined): void {
  if (records === 0) return;
  const [have, were] = records === 1 ? ['record has', 'was'] : ['records have', 'were'];
  const place = column === undefined ? '' : ` that can be read in ${JSON.stringify(column)}`;
  printMessage(io, 'warning', `${formatInteger(records)} ${have} no ${field}${place} and ${were} skipped`);
}

/** Prints the warnings of an expression. */
export function printWarning(
  { err }: Io,
  { source, diagnostics }: { source: string; diagnostics: readonly Diagnostic[] },
): void {
  if (diagnostics.length > 0) err.write(`${err.rendered(source, diagnostics)}\n`);
}

/** The number of broken records that are printed one by one. The rest are only counted. */
const MAX_PRINTED = 10;

/** Prints warnings about records that cannot be read. */
export class BrokenRecords {
  private count = 0;
  private printed = 0;
  /** Files with text that is not UTF-8. One line says what to do about all of it. */
  private readonly misencoded = new Set<string>();

  constructor(private readonly io: Io) {}

  add({ file, line, reason }: BrokenRecord): void {
    this.count++;
    if (reason.endsWith(NOT_UTF8)) {
      if (this.misencoded.has(file)) return;
      this.misencoded.add(file);
    }
    if (++this.printed <= MAX_PRINTED)
      printMessage(this.io, 'warning', `${file}:${line}: ${adviseEncoding(reason)}; skipped`);
  }

  /** Prints the total. Call it at the end. */
  printTotal(): void {
    if (this.count > 0) printMessage(this.io, 'warning', `${pluralize(this.count, 'broken record')} skipped`);
  }
}
