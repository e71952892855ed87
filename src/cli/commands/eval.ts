import { type Compiled, type CompileOptions, compile, compileNumber, compileOn, compileWhere } from '../../api.ts';
import type { Use } from '../../check/check.ts';
import { evaluatePartially } from '../../explain-api.ts';
import { showValue } from '../../language/show-value.ts';
import type { Value } from '../../language/value.ts';
import type { Io } from '../io.ts';
import { type RecordOptions, readRecord } from '../read-record.ts';
import { readSource } from '../read-source.ts';
import { printWarning } from '../say.ts';

export interface EvalOptions extends RecordOptions {
  readonly use: Use;
  /** Unix seconds. */
  readonly now: number;
}

const COMPILE: Readonly<Record<Use, (source: string, options: CompileOptions) => Compiled<Value>>> = {
  where: compileWhere,
  on: compileOn,
  number: compileNumber,
  value: compile,
};

/** Prints the value of an expression, or what it is for its use, as JSON or `undefined`. */
export async function runEval(io: Io, source: string, { use, now, ...record }: EvalOptions): Promise<void> {
  const value = COMPILE[use](await readSource(io, source), { now });
  printWarning(io, value);
  const { properties = {}, user } = readRecord(record);
  await io.out.print([showValue(value(properties, user))]);
}

/** Prints what is left of an expression where only the record is known, and the time if it is given. */
export async function runPartialEval(
  io: Io,
  source: string,
  { use, now, ...record }: Omit<EvalOptions, 'now'> & { now?: number },
): Promise<void> {
  await io.out.print([evaluatePartially(await readSource(io, source), { ...readRecord(record), now }, { use })]);
}
