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
  type EvaluateOptions,
  evaluate,
  format,
} from './api.ts';
export type { PartialInput, PropertyRead, Use } from './check/check.ts';
export { inferSchema, type SampleRecord } from './check/infer-schema.ts';
export { readSchema } from './check/read-schema.ts';
export type { KnownValue, PropertySchema, Schema } from './check/schema.ts';
export { CompileCache, type CompileCacheOptions } from './compile-cache.ts';
export type { Cost } from './explain/cost.ts';
export type { Explained } from './explain/explain-tree.ts';
export type { Traced } from './explain/trace-tree.ts';
export { type ReadValue, type Reason, why } from './explain/why.ts';
export { type Explanation, evaluatePartially, explain, type TraceOptions, trace } from './explain-api.ts';
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
} from './language/ast.ts';
export type { Diagnostic, DiagnosticCode, Fix, Severity } from './language/diagnostic.ts';
export {
  ExpressionCheckError,
  ExpressionError,
  ExpressionSyntaxError,
  ExpressionTypeError,
} from './language/errors.ts';
export { type Paint, type RenderPart, renderDiagnostics } from './language/render.ts';
export { type Position, positionAt, type Span } from './language/source.ts';
export type { TypeName } from './language/types.ts';
export type { Properties, Scalar, Value } from './language/value.ts';
export { toSegmentNames } from './operators/uses.ts';
export type { Closure, Engine } from './plan/engine.ts';
export { type ParseLimits, type ParseOptions, parse } from './syntax/parse.ts';
export { expression, property, quote, subexpression, type TemplateValue } from './syntax/template.ts';
export { createOnValidator, createWhereValidator, type ExpressionIssue, type ValidatorOptions } from './validators.ts';
