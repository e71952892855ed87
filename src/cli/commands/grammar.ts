import type { Use } from '../../lang/check/check.ts';
import { createTypedGrammar } from '../decoding/typed-grammar.ts';
import { NOTATIONS, writeGrammar } from '../decoding/write-grammar.ts';
import type { Io } from '../io.ts';
import { loadSchema } from '../options.ts';

export interface GrammarOptions {
  readonly format: keyof typeof NOTATIONS;
  readonly use: Use;
  /** A schema file. */
  readonly schema?: string;
}

/** Prints a grammar for constrained decoding. With a schema, its expressions read known properties only. */
export async function runGrammar(io: Io, { format, use, schema }: GrammarOptions): Promise<void> {
  const known = schema === undefined ? undefined : await loadSchema(schema);
  await io.out.writeAll(writeGrammar(createTypedGrammar(use, known), NOTATIONS[format]));
}
