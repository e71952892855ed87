import type { Checked } from '../../check/check.ts';
import { UNDEFINED } from '../../language/types.ts';
import { closures } from '../closures/closures.ts';
import { assertRows, columnOf } from './batch.ts';
import { BatchChecker } from './batch-checker.ts';
import type { Column } from './column.ts';
import { ColumnBuilder } from './column-builder.ts';
import { columnAt } from './column-view.ts';
import { planAnswers } from './plan-answers.ts';
import { runInBlocks, type Scope } from './run-in-blocks.ts';

/**
 * Turns a checked tree into a function that answers the values of the rows of a batch as a column, in the order in which the rows are
 * looked at.
 *
 * The function throws as {@link runInBlocks}.
 */
export function toAnswers(checked: Checked): (scope: Scope) => Column {
  const checker = new BatchChecker(checked);
  return (scope) => {
    if (checked.tree.kind === 'property') return propertyColumn(checked, scope);
    const answers = new ColumnBuilder(scope.selection?.length ?? scope.batch.length);
    runInBlocks(checker.check(scope.batch), scope, closures.toClosure, (plan) =>
      planAnswers(plan, checked.tree, answers),
    );
    return answers.finish();
  };
}

/** What there is already. */
function propertyColumn({ properties }: Checked, { batch, selection }: Scope): Column {
  const [read] = properties;
  const column = read && columnOf(batch, read);
  if (selection) assertRows(selection, batch);
  return column ? (selection ? columnAt(column, selection) : column) : NOTHING;
}

const NOTHING: Column = { types: UNDEFINED, dictionary: [undefined] };
