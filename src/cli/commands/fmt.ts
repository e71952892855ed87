import { format } from '../../api/expressions.ts';
import type { Io } from '../io.ts';
import { readSource } from '../options.ts';
import { colourExpression } from '../terminal/colour-expression.ts';

/** Prints a formatted expression. */
export async function runFmt(io: Io, source: string, { json }: { readonly json?: boolean }): Promise<void> {
  const expression = format(await readSource(io, source));
  await io.out.print([json ? JSON.stringify({ expression }) : colourExpression(io.out, expression)]);
}
