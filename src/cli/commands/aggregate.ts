import { formatDecimal } from '../../lang/value.ts';
import type { Io } from '../io.ts';
import { scan } from '../scan.ts';
import type { Selection } from '../workers/job.ts';

/** Prints the sum or the average of the expression over the selected records; what is not a number counts as 0. */
export async function runOverFiles(
  io: Io,
  kind: 'sum' | 'average',
  on: string,
  files: readonly string[],
  options: Selection,
): Promise<void> {
  const sum = new Sum();
  let records = 0;
  await scan(
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
  // No record has no average.
  await io.out.print([Number.isFinite(result) ? formatDecimal(result) : 'undefined']);
}

/** Adds up with the rounding errors carried along (Neumaier), so that 0.1 ten times is 1. */
class Sum {
  private sum = 0;
  private lost = 0;

  add(number: number): void {
    const next = this.sum + number;
    this.lost += Math.abs(this.sum) >= Math.abs(number) ? this.sum - next + number : number - next + this.sum;
    this.sum = next;
  }

  get total(): number {
    return Number.isFinite(this.sum) ? this.sum + this.lost : this.sum;
  }
}
