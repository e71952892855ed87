import { formatDecimal } from '../../lang/value.ts';
import { printFilterCounts, toJsonCounts } from '../answers/filter-counts.ts';
import type { Io } from '../io.ts';
import { scan } from '../scan.ts';
import type { Selection } from '../workers/job.ts';

export interface AggregateOptions extends Selection {
  readonly json?: boolean;
}

/** Prints the sum or average of an expression over the selected records. Values that are not numbers count as 0. */
export async function runAggregate(
  io: Io,
  kind: 'sum' | 'average',
  on: string,
  files: readonly string[],
  options: AggregateOptions,
): Promise<void> {
  const sum = new Sum();
  let records = 0;
  const scanned = await scan(
    io,
    files,
    { ...options, kind: 'numbers', on },
    {
      part(numbers) {
        records += numbers.length;
        for (const number of numbers) sum.add(number);
      },
    },
  );
  const result = kind === 'sum' ? sum.total : sum.total / records;
  // The average of no records is undefined.
  const isDefined = Number.isFinite(result);
  const text = isDefined ? formatDecimal(result) : 'undefined';
  const json = { [kind]: isDefined ? result : null, ...toJsonCounts(scanned, options) };
  await io.out.print([options.json ? JSON.stringify(json) : text]);
  if (!options.json) await printFilterCounts(io, scanned, options, records === 0);
}

/** Adds numbers with compensated summation (Neumaier), so that ten times 0.1 is 1. */
class Sum {
  private sum = 0;
  private compensation = 0;

  add(number: number): void {
    const next = this.sum + number;
    this.compensation += Math.abs(this.sum) >= Math.abs(number) ? this.sum - next + number : number - next + this.sum;
    this.sum = next;
  }

  get total(): number {
    return Number.isFinite(this.sum) ? this.sum + this.compensation : this.sum;
  }
}
