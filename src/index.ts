/**
 * Parses, checks, compiles, evaluates, explains and formats expressions.
 *
 * @module onwhere
 */

export { type BatchCompileOptions, type CompiledBatch, compileBatchOn, compileBatchWhere } from './batch-api.ts';
export * from './core.ts';
export { codegen } from './engines/codegen/codegen.ts';
export type { ArrowTable } from './engines/columnar/arrow-vector.ts';
export { createBatchFromArrow } from './engines/columnar/batch-from-arrow.ts';
export { type BatchRecord, createBatchFromRecords } from './engines/columnar/batch-from-records.ts';
export type { Segments } from './engines/columnar/segments.ts';
export type { Batch } from './plan/batch.ts';
