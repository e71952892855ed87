import { assertFields, assertNumber, guardIf, optional } from '../../base/guard.ts';
import type { Expression } from '../ast.ts';
import { type Diagnostic, diagnose } from '../diagnostic.ts';
import { type Callee, ExpressionSyntaxError, traceFrom } from '../errors.ts';
import { takeSteps } from '../steps.ts';
import { diagnoseSyntax } from './diagnose-syntax.ts';
import { getGrammar } from './grammar.ts';
import { tokenize } from './lexer.ts';
import { DepthError } from './precedence.ts';

/** Limits on the source (language, section 2). Parsing a source that exceeds one fails with a diagnostic. */
export interface ParseLimits {
  /** The maximum length of the source in UTF-16 units, up to 5,000,000. Default 65,536. */
  readonly length?: number;
  /** The maximum levels of nesting, up to 400, which fit on a stack of 1 MB. Default 256. */
  readonly depth?: number;
}

export interface ParseOptions {
  /** Limits on the source. A source that exceeds one is a syntax error. */
  readonly limits?: ParseLimits;
}

/** The default limit on the length of a source, in UTF-16 units. */
export const DEFAULT_LENGTH = 65_536;
/** The default limit on the levels of nesting. */
export const DEFAULT_DEPTH = 256;
/** Regular expressions run out of memory on a string with more than three million escapes. */
const MAX_LENGTH = 5_000_000;
const MAX_DEPTH = 400;

/** @throws {TypeError} if the value is not a string. */
export const assertSource = guardIf(
  (value) => typeof value === 'string',
  'a string such as "properties[\\"plan\\"] == \\"pro\\""',
);

/** @throws {TypeError} if the value is not valid as the option `limits`. */
export function assertLimits(limits: unknown, name: string): void {
  assertFields(limits, name, { length: optional(assertNumber), depth: optional(assertNumber) });
}

export type Parsed =
  | { readonly tree: Expression; readonly diagnostics?: undefined }
  | { readonly tree?: undefined; readonly diagnostics: readonly Diagnostic[] };

/**
 * Parses an expression (language, section 2) and returns its tree.
 *
 * @throws {ExpressionSyntaxError} with all mistakes in the source.
 * @throws {RangeError} if a limit is out of range.
 * @throws {TypeError} if an argument has the wrong type.
 *
 * @example
 * parse('properties["plan"] == "pro"').kind; // 'binary'
 */
export function parse(source: string, options: ParseOptions = {}): Expression {
  assertSource(source, 'source');
  assertFields(options, 'options', { limits: optional(assertLimits) });
  return parseFor(parse, source, options);
}

/** Parses as {@link parse} does, for another function that a program calls. */
export function parseFor(callee: Callee, source: string, options?: ParseOptions): Expression {
  const { tree, diagnostics } = tryParse(source, options);
  if (diagnostics !== undefined) throw traceFrom(callee, new ExpressionSyntaxError(source, diagnostics));
  return tree;
}

/** Parses a source. Returns the tree or, if the source is not an expression, the errors in source order. */
export function tryParse(source: string, { limits = {} }: ParseOptions = {}): Parsed {
  const length = checkLimit('length', limits.length ?? DEFAULT_LENGTH, MAX_LENGTH);
  const depth = checkLimit('depth', limits.depth ?? DEFAULT_DEPTH, MAX_DEPTH);
  if (source.length > length) {
    const excess = { start: length, end: source.length };
    return { diagnostics: [diagnose('source-too-long', excess, { length: source.length, limit: length })] };
  }
  const { tokens, unexpected } = tokenize(source);
  takeSteps(tokens.length + unexpected.length);
  try {
    const { tree, problems = [] } = unexpected.length === 0 ? getGrammar().parse(tokens, depth) : {};
    if (tree === undefined) return { diagnostics: diagnoseSyntax(source, tokens, unexpected, depth) };
    return problems.length > 0 ? { diagnostics: problems } : { tree };
  } catch (error) {
    if (error instanceof DepthError) return { diagnostics: [diagnose('too-deep', error.span, { limit: depth })] };
    throw error;
  }
}

function checkLimit(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new RangeError(`The limit \`${name}\` must be a whole number from 0 to ${max}, not ${value}`);
}
