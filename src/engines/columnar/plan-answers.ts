import type { Expression } from '../../language/ast.ts';
import { BOOLEAN, isSubset, NUMBER, UNDEFINED } from '../../language/types.ts';
import type { Value } from '../../language/value.ts';
import { closures } from '../closures/closures.ts';
import type { BatchPlan } from './batch-plan.ts';
import type { ColumnBuilder } from './column-builder.ts';
import type { ColumnView } from './column-view.ts';
import { planCondition } from './plan-condition.ts';
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
  if (read && (node.kind === 'property' || !read.view.column.numbers)) {
    return byEntry(read.view, plan.ofValue(node, read, closures.toClosure), answers);
  }
  return isSubset(types, BOOLEAN)
    ? asCondition(plan, node, answers)
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

function asCondition(plan: BatchPlan, node: Expression, answers: ColumnBuilder): Work {
  const condition = planCondition(plan, node);
  const [yes, no] = [answers.codeOf(true), answers.codeOf(false)];
  const hits = plan.subset();
  return (block, before) => {
    condition.test(block, hits);
    for (let index = 0; index < block.size; index++) answers.setCode(before + index, no);
    const positions = hits.list();
    for (let index = 0; index < hits.size; index++) answers.setCode(before + (positions[index] as number), yes);
  };
}

/** By what each entry of a dictionary means, found out once; numbers are themselves. */
function byEntry(view: ColumnView, answer: (value: Value) => Value, answers: ColumnBuilder): Work {
  const { numbers, codes, dictionary } = view.column;
  const known = new Array<number | undefined>(dictionary.length);
  const codeOf = (entry: number) => answers.codeOf(answer(dictionary[entry]));
  return (block, before) => {
    const entries = codes && view.codesOf(block);
    const values = numbers && view.numbersOf(block).values;
    for (let index = 0; index < block.size; index++) {
      const number = values ? (values[index] as number) : Number.NaN;
      if (!Number.isNaN(number)) {
        answers.setNumber(before + index, number);
      } else if (entries) {
        const entry = entries[index] as number;
        known[entry] ??= codeOf(entry);
        answers.setCode(before + index, known[entry]);
      }
    }
  };
}

function byRow(answer: (position: number) => Value, answers: ColumnBuilder): Work {
  return (block, before) => {
    for (let index = 0; index < block.size; index++) answers.set(before + index, answer(index));
  };
}
