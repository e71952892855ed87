import { format } from '../../api.ts';
import { Output } from '../output.ts';
import { readSource } from '../read-source.ts';

/** Prints an expression in its canonical form. */
export async function fmt(expression: string): Promise<void> {
  await Output.print([format(await readSource(expression))]);
}
