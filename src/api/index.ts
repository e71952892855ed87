/**
 * Parses, checks, compiles, evaluates, explains and formats expressions.
 *
 * @module onwhere
 */

export { codegen } from '../lang/engines/codegen/codegen.ts';
export type { ArrowTable } from '../lang/engines/columnar/arrow-vector.ts';
export { createBatchFromArrow } from '../lang/engines/columnar/batch-from-arrow.ts';
export { type BatchRecord, createBatchFromRecords } from '../lang/engines/columnar/batch-from-records.ts';
export type { Segments } from '../lang/engines/columnar/count-segments.ts';
export {
  FORM_OPERATORS,
  type FormCondition,
  type FormExpression,
  type FormGroup,
  type FormOperator,
  type FormRow,
  type FormScalar,
  type FormTime,
} from '../lang/form/form.ts';
export type { Batch } from '../lang/plan/batch.ts';
export { type BatchCompileOptions, type CompiledBatch, compileBatchOn, compileBatchWhere } from './batches.ts';
export * from './core.ts';
export { fromForm, toForm } from './forms.ts';
