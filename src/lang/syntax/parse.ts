import type { Expression } from '../ast.ts';
import { type Diagnostic, diagnose } from '../diagnostic.ts';
import { ExpressionSyntaxError } from '../errors.ts';
import { assertFields, assertNumber, guardIf, optional } from '../util/guard.ts';
import { diagnoseSyntax } from './diagnose-syntax.ts';
import { getGrammar } from './grammar.ts';
import { tokenize } from './lexer.ts';
import { DepthError } from './precedence.ts';

/** Limits on the source (language, section 2); past one, parsing fails with a diagnostic. */
export interface ParseLimits {
  /** Length of the source in UTF-16 units, at most 5,000,000. Default 65,536. */
  readonly length?: number;
  /** Levels of nesting, at most 400, which the usual stack of a megabyte holds. Default 256. */
  readonly depth?: number;
}

export interface ParseOptions {
  /** Bounds on the source; a text beyond one is a syntax error. */
  readonly limits?: ParseLimits;
}

/** Characters of a source where no limit is given. */
export const DEFAULT_LENGTH = 65_536;
/** Levels of nesting where no limit is given. */
export const DEFAULT_DEPTH = 256;
/** Regular expressions run out of memory in strings of more than three million escapes. */
const MAX_LENGTH = 5_000_000;
const MAX_DEPTH = 400;

/** Guards a source. */
export const assertSource = guardIf(
  (value) => typeof value === 'string',
  'a string such as "properties[\\"plan\\"] == \\"pro\\""',
);

/** Guards the option `limits`. */
export function assertLimits(limits: unknown, name: string): void {
  assertFields(limits, name, { length: optional(assertNumber), depth: optional(assertNumber) });
}

export type Parsed =
  | { readonly tree: Expression; readonly diagnostics?: undefined }
  | { readonly tree?: undefined; readonly diagnostics: readonly Diagnostic[] };

/**
 * Parses an expression (language, section 2).
 *
 * @throws {ExpressionSyntaxError} with every mistake that was found; {@link RangeError} for a limit that cannot be;
 *   {@link TypeError} for an argument of another type.
 */
export function parse(source: string, options: ParseOptions = {}): Expression {
  assertSource(source, 'source');
  assertFields(options, 'options', { limits: optional(assertLimits) });
  const { tree, diagnostics } = tryParse(source, options);
  if (diagnostics !== undefined) throw new ExpressionSyntaxError(source, diagnostics);
  return tree;
}

/** The tree or, for a text that is no expression, what there is to say about it: errors only, in source order. */
export function tryParse(source: string, { limits = {} }: ParseOptions = {}): Parsed {
  const length = limit('length', limits.length ?? DEFAULT_LENGTH, MAX_LENGTH);
  const depth = limit('depth', limits.depth ?? DEFAULT_DEPTH, MAX_DEPTH);
  if (source.length > length) {
    const excess = { start: length, end: source.length };
    return { diagnostics: [diagnose('source-too-long', excess, { length: source.length, limit: length })] };
  }
  const { tokens, unexpected } = tokenize(source);
  const grammar = getGrammar();
  try {
    const tree = unexpected.length === 0 ? grammar.parse(tokens, depth) : undefined;
    if (tree === undefined) return { diagnostics: diagnoseSyntax(source, tokens, unexpected, depth) };
    return grammar.problems.length > 0 ? { diagnostics: grammar.problems } : { tree };
  } catch (error) {
    if (error instanceof DepthError) return { diagnostics: [diagnose('too-deep', error.span, { limit: depth })] };
    throw error;
  }
}

function limit(name: string, value: number, greatest: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= greatest) return value;
  throw new RangeError(`The limit \`${name}\` must be a whole number from 0 to ${greatest}, not ${value}`);
}
