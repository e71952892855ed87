import { fromSql } from '../../api/from-sql.ts';
import type { Io } from '../io.ts';
import { readSource } from '../options.ts';

/** Prints the expression for the condition of SQL, and on standard error what the translation assumes. */
export async function runFromSql(io: Io, sql: string, { json }: { readonly json?: boolean }): Promise<void> {
  const translated = fromSql(await readSource(io, sql));
  if (json) return io.out.print([JSON.stringify(translated)]);
  await io.err.print(translated.notes.map((note) => `note: ${note}`));
  await io.out.print([translated.expression]);
}
