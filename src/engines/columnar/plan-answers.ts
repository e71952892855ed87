import type { Expression } from '../../language/ast.ts';
import { BOOLEAN, isSubset, NUMBER, UNDEFINED } from '../../language/types.ts';
import type { Value } from '../../language/value.ts';
import { closures } from '../closures/closures.ts';
import type { BatchPlan } from './batch-plan.ts';
import type { ColumnBuilder } from './column-builder.ts';
import type { ColumnView } from './column-view.ts';
import type { Condition } from './condition.ts';
import { always, planCondition, planOpposite } from './plan-condition.ts';
import { planNumbers } from './plan-numbers.ts';
import type { Work } from './run-in-blocks.ts';

/** Chooses how to find the value of an expression in each row, which is put into a column. */
export function planAnswers(plan: BatchPlan, node: Expression, answers: ColumnBuilder): Work {
  const { types } = plan.facts(node);
  if (plan.reads(node).size === 0) {
    const value = plan.once(node, closures.toClosure);
    return byRow(() => value, answers);
  }
  if (isSubset(types, NUMBER | UNDEFINED)) return asNumbers(plan, node, answers);
  const read = plan.soleRead(node);
  if (read && !read.view.column.numbers)
    return byEntry(read.view, plan.ofValue(node, read, closures.toClosure), answers);
  const no = isSubset(types, BOOLEAN) ? always(true) : planOpposite(plan, node);
  return no
    ? asCondition(plan, planCondition(plan, node), no, answers)
    : byRow(plan.ofPosition(node, closures.toClosure), answers);
}

function asNumbers(plan: BatchPlan, node: Expression, answers: ColumnBuilder): Work {
  const numbers = planNumbers(plan, node);
  return (block, before) => {
    const { values, mask } = numbers.read(block);
    for (let index = 0; index < block.size; index++) {
      const number = values[index & mask] as number;
      if (!Number.isNaN(number)) answers.setNumber(before + index, number);
    }
  };
}

/** True and false where the conditions say so, true above false; undefined everywhere else. */
function asCondition(plan: BatchPlan, isTrue: Condition, isFalse: Condition, answers: ColumnBuilder): Work {
  const found = plan.subset();
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
function byEntry(view: ColumnView, answer: (value: Value) => Value, answers: ColumnBuilder): Work {
  const { dictionary } = view.column;
  const known = new Array<number | undefined>(dictionary.length);
  return (block, before) => {
    const entries = view.codesOf(block);
    for (let index = 0; index < block.size; index++) {
      const entry = entries[index] as number;
      known[entry] ??= answers.codeOf(answer(dictionary[entry]));
      answers.setCode(before + index, known[entry]);
    }
  };
}

function byRow(answer: (position: number) => Value, answers: ColumnBuilder): Work {
  return (block, before) => {
    for (let index = 0; index < block.size; index++) answers.set(before + index, answer(index));
  };
}
