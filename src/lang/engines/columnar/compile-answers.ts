import type { Plan } from '../../plan/plan.ts';
import { BOOLEAN, isSubset, NUMBER, UNDEFINED } from '../../types.ts';
import type { Value } from '../../value.ts';
import type { BatchCondition } from './batch-condition.ts';
import type { BoundBatch } from './bound-batch.ts';
import type { ColumnBuilder } from './column-builder.ts';
import type { ColumnView } from './column-view.ts';
import { compileFalsehood, compileTruth, createConstantCondition } from './compile-condition.ts';
import { compileNumbers } from './compile-numbers.ts';
import type { Work } from './run-in-blocks.ts';

/** Chooses how to find the value of a plan in each row, which is put into a column. */
export function compileAnswers(bound: BoundBatch, plan: Plan, answers: ColumnBuilder): Work {
  if (bound.isConstant(plan)) {
    const value = bound.rows.value(plan)(0);
    return byRow(() => value, answers);
  }
  if (isSubset(plan.types, NUMBER | UNDEFINED)) return asNumbers(bound, plan, answers);
  const view = bound.dictionaryOf(plan);
  if (view) return byEntry(view, bound.entries.value(plan), answers);
  const no = isSubset(plan.types, BOOLEAN) ? createConstantCondition(true) : compileFalsehood(bound, plan);
  return no ? asCondition(bound, compileTruth(bound, plan), no, answers) : byRow(bound.rows.value(plan), answers);
}

function asNumbers(bound: BoundBatch, plan: Plan, answers: ColumnBuilder): Work {
  const numbers = compileNumbers(bound, plan);
  return (block, before) => {
    const { values, mask } = numbers.read(block);
    for (let index = 0; index < block.size; index++) {
      const number = values[index & mask] as number;
      if (!Number.isNaN(number)) answers.setNumber(before + index, number);
    }
  };
}

/** True and false where the conditions say so, true above false; undefined everywhere else. */
function asCondition(bound: BoundBatch, isTrue: BatchCondition, isFalse: BatchCondition, answers: ColumnBuilder): Work {
  const found = bound.subset();
  const verdicts = [
    { condition: isFalse, code: answers.codeOf(false) },
    { condition: isTrue, code: answers.codeOf(true) },
  ];
  return (block, before) => {
    for (const { condition, code } of verdicts) {
      condition.test(block, found);
      const positions = found.list();
      for (let index = 0; index < found.size; index++) answers.setCode(before + (positions[index] as number), code);
    }
  };
}

/** By what each entry of a dictionary means, found out once. */
function byEntry(view: ColumnView, answer: (entry: number) => Value, answers: ColumnBuilder): Work {
  const known = new Array<number | undefined>(view.column.dictionary.length);
  return (block, before) => {
    const entries = view.codesOf(block);
    for (let index = 0; index < block.size; index++) {
      const entry = entries[index] as number;
      known[entry] ??= answers.codeOf(answer(entry));
      answers.setCode(before + index, known[entry]);
    }
  };
}

function byRow(answer: (position: number) => Value, answers: ColumnBuilder): Work {
  return (block, before) => {
    for (let index = 0; index < block.size; index++) answers.set(before + index, answer(index));
  };
}
