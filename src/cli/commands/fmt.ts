import { format } from '../../api/expressions.ts';
import type { Io } from '../io.ts';
import { readSource } from '../options.ts';

/** Prints an expression in its canonical form. */
export async function runFmt(io: Io, expression: string): Promise<void> {
  await io.out.print([format(await readSource(io, expression))]);
}
