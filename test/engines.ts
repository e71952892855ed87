import type { Expression } from '../src/lang/ast.ts';
import { checkTree } from '../src/lang/check/check.ts';
import { closures } from '../src/lang/engines/closures/closures.ts';
import { codegen } from '../src/lang/engines/codegen/codegen.ts';
import { createBatchFromRecords } from '../src/lang/engines/columnar/batch-from-records.ts';
import { columnar } from '../src/lang/engines/columnar/columnar.ts';
import { interpret } from '../src/lang/engines/interpret.ts';
import { ExpressionTypeError } from '../src/lang/errors.ts';
import { toCondition } from '../src/lang/operators/coercions.ts';
import { findTimeZone } from '../src/lang/operators/time-zone.ts';
import { getValue } from '../src/lang/plan/batch-column.ts';
import type { Engine as CompiledEngine } from '../src/lang/plan/engine.ts';
import type { Properties, Value } from '../src/lang/value.ts';
import { withShortTraces } from './with-short-traces.ts';

/** The record, user and time of an evaluation. */
export interface Input {
  readonly properties: Properties;
  readonly user?: Properties | undefined;
  readonly now?: number | undefined;
  /** All records of a query have the same. */
  readonly timeZone?: string | undefined;
}

/** The result of an evaluation: a value, or the type error that it raised. */
export type Outcome =
  | { readonly value: Value }
  | {
      readonly operator: string;
      readonly found: string;
      readonly span: { readonly start: number; readonly end: number };
    };

/** Compiles a tree once, for many records. */
export type Engine = (source: string, tree: Expression, where: boolean, timeZone?: string) => (input: Input) => Value;

const compiled =
  (engine: CompiledEngine): Engine =>
  (source, tree, where, timeZone = 'UTC') => {
    const checked = checkTree(source, tree, where ? 'where' : 'value', { timeZone: findTimeZone(timeZone) });
    const run = where ? engine.toCondition(checked) : engine.toClosure(checked);
    return ({ properties, user, now = 0 }) => run(properties, user, now);
  };

/** All engines. The same corpus tests each of them. */
export const ENGINES: Readonly<Record<string, Engine>> = {
  interpret:
    (source, tree, where, timeZone = 'UTC') =>
    ({ properties, user, now = 0 }) => {
      const value = interpret(tree, { properties, user, now, timeZone: findTimeZone(timeZone) }, source);
      return where ? toCondition(value, 'where', tree.span, source) : value;
    },
  closures: compiled(closures),
  codegen: compiled(codegen),
  columnar: (source, tree, where, timeZone = 'UTC') => {
    const checked = checkTree(source, tree, where ? 'where' : 'value', { timeZone: findTimeZone(timeZone) });
    const [select, evaluate] = [columnar.toSelection(checked), columnar.toColumn(checked)];
    return ({ now = 0, ...record }) => {
      const batch = createBatchFromRecords([record], checked.properties);
      return where ? select(batch, undefined, now).length === 1 : getValue(evaluate(batch, undefined, now), 0);
    };
  },
};

export function outcome(run: (input: Input) => Value, input: Input): Outcome {
  try {
    return { value: withShortTraces(() => run(input)) };
  } catch (error) {
    if (!(error instanceof ExpressionTypeError)) throw error;
    return { operator: error.operator, found: error.found, span: error.span };
  }
}

/** Removes the span of a type error, to compare it with that of another source. */
export function withoutSpan(result: Outcome): Outcome {
  return 'value' in result ? result : { ...result, span: { start: 0, end: 0 } };
}
