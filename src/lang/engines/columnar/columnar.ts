import type { Checked } from '../../check/check.ts';
import { assertRows, getColumn } from '../../plan/batch.ts';
import type { BatchColumn } from '../../plan/batch-column.ts';
import type { BatchClosure, BatchEngine } from '../../plan/engine.ts';
import type { Read } from '../../plan/plan.ts';
import { toFilterPlan, toPlan } from '../../plan/to-plan.ts';
import { UNDEFINED } from '../../types.ts';
import { BatchPlanner } from './batch-planner.ts';
import type { BatchInput } from './bound-batch.ts';
import { ColumnBuilder } from './column-builder.ts';
import { selectRows } from './column-view.ts';
import { compileCondition } from './compile-condition.ts';
import { compileValues } from './compile-values.ts';
import { runInBlocks } from './run-in-blocks.ts';
import { createBits, listBits } from './subset.ts';

/**
 * The engine that evaluates many rows at a time. It loops over typed arrays for numbers, and evaluates each distinct
 * other value once.
 */
export const columnar: BatchEngine = { toSelection, toColumn };

function toSelection(checked: Checked): BatchClosure<Uint32Array<ArrayBuffer>> {
  const planner = new BatchPlanner(checked, toFilterPlan);
  return (batch, selection, now) => {
    const filter = planner.getPlan(batch);
    const length = selection?.length ?? batch.length;
    const bits = createBits(length);
    let size = 0;
    runInBlocks(
      checked,
      { batch, selection, now },
      (rows) => rows.compileCondition(filter),
      (bound) => {
        const condition = compileCondition(bound, filter);
        const found = bound.createSubset();
        return (block, offset) => {
          condition.test(block, found);
          found.writeTo(bits, offset);
          size += found.size;
        };
      },
    );
    const selected = new Uint32Array(size);
    listBits(bits, length, selected);
    return selection ? selected.map((index) => selection[index] as number) : selected;
  };
}

function toColumn(checked: Checked): BatchClosure<BatchColumn> {
  const planner = new BatchPlanner(checked, toPlan);
  return (batch, selection, now) => {
    const input = { batch, selection, now };
    const plan = planner.getPlan(batch);
    if (plan.kind === 'read') return getExistingColumn(plan, input);
    const values = new ColumnBuilder(selection?.length ?? batch.length);
    runInBlocks(
      checked,
      input,
      (rows) => rows.compileValue(plan),
      (bound) => compileValues(bound, plan, values),
    );
    return values.finish();
  };
}

/** Returns the column of a property, which needs no evaluation. */
function getExistingColumn(read: Read, { batch, selection }: BatchInput): BatchColumn {
  const column = getColumn(batch, read);
  if (selection) assertRows(selection, batch);
  return column ? (selection ? selectRows(column, selection) : column) : UNDEFINED_COLUMN;
}

const UNDEFINED_COLUMN: BatchColumn = { types: UNDEFINED, dictionary: [undefined] };
