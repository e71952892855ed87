import type { Diagnostic } from './diagnostic.ts';
import { diagnose } from './diagnostic.ts';
import { renderDiagnostics } from './render.ts';
import { formatPosition, positionAt, type Span } from './source.ts';
import type { TypeName } from './types.ts';
import { toTypeSet } from './types.ts';

/** The base class of the errors about an expression. It has the source and the diagnostics. */
export abstract class ExpressionError extends Error {
  readonly source: string;
  /** Errors and warnings in source order, with at least one error. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(source: string, diagnostics: readonly Diagnostic[]) {
    const first = diagnostics.find(({ severity }) => severity === 'error');
    super(first ? `${first.message} (${formatPosition(positionAt(source, first.span.start))})` : '');
    this.source = source;
    this.diagnostics = diagnostics;
  }

  /** Renders the diagnostics as text, with the lines of source that they are about. */
  render(): string {
    return renderDiagnostics(this.source, this.diagnostics);
  }
}

/** Thrown if a source is not an expression, or exceeds a limit (language, section 2). */
export class ExpressionSyntaxError extends ExpressionError {
  override readonly name = 'ExpressionSyntaxError';
}

/** Thrown if an expression would fail on every record (language, section 6). */
export class ExpressionCheckError extends ExpressionError {
  override readonly name = 'ExpressionCheckError';
}

/** Thrown if an engine, such as the SQL of a database, cannot evaluate an expression exactly as the others do. */
export class ExpressionUnsupportedError extends ExpressionError {
  override readonly name = 'ExpressionUnsupportedError';
}

/** Thrown if a filter of another language has no exact translation. The source is that filter. */
export class TranslationError extends ExpressionError {
  override readonly name = 'TranslationError';
}

/**
 * Thrown when an expression is evaluated on a record where `and`, `or` or the filter gets a value that is neither a
 * boolean nor undefined (language, section 4, rule 6, and section 5).
 */
export class ExpressionTypeError extends ExpressionError {
  override readonly name = 'ExpressionTypeError';
  /** `and`, `or`, or `where` for the filter as a whole. */
  readonly operator: 'and' | 'or' | 'where';
  /** The type of the value. */
  readonly found: TypeName;
  readonly span: Span;

  constructor(source: string, operator: 'and' | 'or' | 'where', found: TypeName, span: Span) {
    const types = toTypeSet([found]);
    super(source, [
      operator === 'where'
        ? diagnose('filter-type', span, { found: types })
        : diagnose('operand-type', span, { operator, found: types }),
    ]);
    this.operator = operator;
    this.found = found;
    this.span = span;
  }
}
