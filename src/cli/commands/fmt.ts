import { format } from '../../api/expressions.ts';
import type { Io } from '../io.ts';
import { readSource } from '../options.ts';

/** Prints a formatted expression. */
export async function runFmt(io: Io, expression: string): Promise<void> {
  await io.out.print([format(await readSource(io, expression))]);
}
