export type {
  Binary,
  BinaryName,
  Call,
  ComparisonName,
  Expression,
  FunctionName,
  Kind,
  Literal,
  Logical,
  LogicalName,
  Membership,
  NodeOf,
  NowNode,
  Prefix,
  PrefixName,
  Property,
  Scope,
  TimeComparison,
} from '../lang/ast.ts';
export type { PropertyRead, Use } from '../lang/check/check.ts';
export type { PartialInput } from '../lang/check/context.ts';
export type { Cost } from '../lang/check/estimate-cost.ts';
export { inferSchema, type SampleRecord } from '../lang/check/infer-schema.ts';
export { readSchema } from '../lang/check/read-schema.ts';
export type { KnownValue, PropertySchema, Schema } from '../lang/check/schema.ts';
export type { Diagnostic, DiagnosticCode, Fix, Severity } from '../lang/diagnostic.ts';
export {
  ExpressionCheckError,
  ExpressionError,
  ExpressionSyntaxError,
  ExpressionTypeError,
} from '../lang/errors.ts';
export type { Explained } from '../lang/explain/explain-tree.ts';
export type { Traced } from '../lang/explain/trace-tree.ts';
export { type ReadValue, type Reason, why } from '../lang/explain/why.ts';
export { toSegmentNames } from '../lang/operators/coercions.ts';
export type { Closure, Engine } from '../lang/plan/engine.ts';
export { type Paint, type RenderPart, renderDiagnostics } from '../lang/render.ts';
export { type Position, positionAt, type Span } from '../lang/source.ts';
export { type ParseLimits, type ParseOptions, parse } from '../lang/syntax/parse.ts';
export { expression, property, quote, subexpression, type TemplateValue } from '../lang/syntax/template.ts';
export type { TypeName } from '../lang/types.ts';
export type { Properties, Scalar, Value } from '../lang/value.ts';
export { CompileCache, type CompileCacheOptions } from './compile-cache.ts';
export { type Explanation, evaluatePartially, explain, type TraceOptions, trace } from './explain.ts';
export {
  type About,
  type CheckOptions,
  type CheckResult,
  type Compiled,
  type CompileOptions,
  check,
  compile,
  compileNumber,
  compileOn,
  compileWhere,
  evaluate,
  type FindRelations,
  format,
} from './expressions.ts';
export type { EvaluateOptions, TimeZoneOptions } from './query-options.ts';
export { type AppliedFix, type Repaired, repair } from './repair.ts';
export { createOnValidator, createWhereValidator, type ExpressionIssue, type ValidatorOptions } from './validators.ts';
