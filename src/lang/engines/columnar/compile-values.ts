import type { Plan } from '../../plan/plan.ts';
import { BOOLEAN, isSubset, NUMBER, UNDEFINED } from '../../types.ts';
import type { Value } from '../../value.ts';
import type { BatchCondition } from './batch-condition.ts';
import type { BoundBatch } from './bound-batch.ts';
import type { ColumnBuilder } from './column-builder.ts';
import type { ColumnView } from './column-view.ts';
import { compileTruth, createConstantCondition } from './compile-condition.ts';
import { compileNumbers } from './compile-numbers.ts';
import { compileDefined } from './number-conditions.ts';
import type { Work } from './run-in-blocks.ts';

/** Compiles a plan to work that writes its value in each row to a column. */
export function compileValues(bound: BoundBatch, plan: Plan, out: ColumnBuilder): Work {
  if (bound.isConstant(plan)) {
    const value = bound.rows.compileValue(plan)(0);
    return writeByRow(() => value, out);
  }
  if (isSubset(plan.types, NUMBER | UNDEFINED)) return writeNumbers(bound, plan, out);
  const view = bound.getDictionaryView(plan);
  if (view) return writeByEntry(view, bound.entries.compileValue(plan), out);
  const defined = isSubset(plan.types, BOOLEAN) ? createConstantCondition(true) : compileDefined(bound, plan);
  return defined
    ? writeBooleans(bound, compileTruth(bound, plan), defined, out)
    : writeByRow(bound.rows.compileValue(plan), out);
}

function writeNumbers(bound: BoundBatch, plan: Plan, out: ColumnBuilder): Work {
  const numbers = compileNumbers(bound, plan);
  return (block, offset) => {
    const { values, mask } = numbers.read(block);
    for (let index = 0; index < block.size; index++) {
      const number = values[index & mask] as number;
      if (!Number.isNaN(number)) out.setNumber(offset + index, number);
    }
  };
}

/** Writes whether the first condition holds in the rows where the second does. Other rows stay undefined. */
function writeBooleans(bound: BoundBatch, isTrue: BatchCondition, isDefined: BatchCondition, out: ColumnBuilder): Work {
  const found = bound.createSubset();
  const verdicts = [
    { condition: isDefined, code: out.getCode(false) },
    { condition: isTrue, code: out.getCode(true) },
  ];
  return (block, offset) => {
    for (const { condition, code } of verdicts) {
      condition.test(block, found);
      const positions = found.list();
      for (let index = 0; index < found.size; index++) out.setCode(offset + (positions[index] as number), code);
    }
  };
}

/** Evaluates each entry of a dictionary once. */
function writeByEntry(view: ColumnView, evaluate: (entry: number) => Value, out: ColumnBuilder): Work {
  const codeByEntry = new Array<number | undefined>(view.column.dictionary.length);
  return (block, offset) => {
    const entries = view.getCodes(block);
    for (let index = 0; index < block.size; index++) {
      const entry = entries[index] as number;
      codeByEntry[entry] ??= out.getCode(evaluate(entry));
      out.setCode(offset + index, codeByEntry[entry]);
    }
  };
}

function writeByRow(evaluate: (position: number) => Value, out: ColumnBuilder): Work {
  return (block, offset) => {
    for (let index = 0; index < block.size; index++) out.set(offset + index, evaluate(index));
  };
}
