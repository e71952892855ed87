import { evaluatePartially, trace } from '../../api/explain.ts';
import {
  type Compiled,
  type CompileOptions,
  check,
  compile,
  compileNumber,
  compileOn,
  compileWhere,
} from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';
import { escapeUnprintable } from '../../base/strings.ts';
import type { Use } from '../../lang/check/check.ts';
import { findUndefinedCause } from '../../lang/explain/why.ts';
import { getTypeNames } from '../../lang/types.ts';
import { getType, showValue, type Value } from '../../lang/value.ts';
import type { Io } from '../io.ts';
import { printWarning } from '../messages.ts';
import { type RecordOptions, readRecord, readSource } from '../options.ts';
import { colourExpression, colourValue } from '../terminal/colour-expression.ts';

export interface EvalOptions extends RecordOptions {
  readonly use: Use;
  /** Unix seconds. */
  readonly now: number;
  /** The time zone of dates without one. Default: UTC. */
  readonly timeZone?: string;
  readonly json?: boolean;
}

const COMPILE: Readonly<Record<Use, (source: string, options: CompileOptions) => Compiled<Value>>> = {
  where: compileWhere,
  on: compileOn,
  number: compileNumber,
  value: compile,
};

/** Prints the value of an expression, converted for its use, as JSON or `undefined`. */
export async function runEval(
  io: Io,
  source: string,
  { use, now, timeZone = 'UTC', json: isJson, ...record }: EvalOptions,
): Promise<void> {
  const compiled = COMPILE[use](await readSource(io, source), { now, timeZone });
  const { diagnostics } = check(compiled.source, { use, timeZone, relations: findRelations });
  printWarning(io, { source: compiled.source, diagnostics });
  const { properties = {}, user } = readRecord(record);
  const value = compiled(properties, user);
  const traced = () => trace(compiled.source, properties, user, { now, timeZone });
  const cause = value === undefined ? findUndefinedCause(traced()) : undefined;
  if (!isJson && cause !== undefined) io.err.write(`undefined: ${escapeUnprintable(cause)}\n`);
  const json = { type: getTypeNames(getType(value))[0], value, cause };
  await io.out.print([isJson ? JSON.stringify(json) : colourValue(io.out, showValue(value))]);
}

/** Prints an expression simplified with the values of the record and, if given, the time. */
export async function runPartialEval(
  io: Io,
  source: string,
  { use, now, timeZone = 'UTC', json, ...record }: Omit<EvalOptions, 'now'> & { now?: number },
): Promise<void> {
  const known = { ...readRecord(record), now };
  const expression = evaluatePartially(await readSource(io, source), known, { use, timeZone });
  await io.out.print([json ? JSON.stringify({ expression }) : colourExpression(io.out, expression)]);
}
