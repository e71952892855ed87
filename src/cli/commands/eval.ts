import { evaluatePartially } from '../../api/explain.ts';
import {
  type Compiled,
  type CompileOptions,
  compile,
  compileNumber,
  compileOn,
  compileWhere,
} from '../../api/expressions.ts';
import type { Use } from '../../lang/check/check.ts';
import type { Value } from '../../lang/value.ts';
import { showValue } from '../../lang/value.ts';
import type { Io } from '../io.ts';
import { printWarning } from '../messages.ts';
import { type RecordOptions, readRecord, readSource } from '../options.ts';

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

/** Prints the value of an expression, converted for its use, as JSON or `undefined`. */
export async function runEval(io: Io, source: string, { use, now, ...record }: EvalOptions): Promise<void> {
  const value = COMPILE[use](await readSource(io, source), { now });
  printWarning(io, value);
  const { properties = {}, user } = readRecord(record);
  await io.out.print([showValue(value(properties, user))]);
}

/** Prints an expression simplified with the values of the record and, if given, the time. */
export async function runPartialEval(
  io: Io,
  source: string,
  { use, now, ...record }: Omit<EvalOptions, 'now'> & { now?: number },
): Promise<void> {
  await io.out.print([evaluatePartially(await readSource(io, source), { ...readRecord(record), now }, { use })]);
}
