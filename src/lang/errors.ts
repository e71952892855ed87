import type { Diagnostic } from './diagnostic.ts';
import { diagnose } from './diagnostic.ts';
import { renderDiagnostics } from './render.ts';
import { formatPosition, positionAt, type Span } from './source.ts';
import type { TypeName } from './types.ts';
import { toTypeSet } from './types.ts';

/** What every error about an expression has in common: the source and what there is to say about it. */
export abstract class ExpressionError extends Error {
  readonly source: string;
  /** Errors first to last in source order, warnings among them. Never empty. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(source: string, diagnostics: readonly Diagnostic[]) {
    const first = diagnostics.find(({ severity }) => severity === 'error');
    super(first ? `${first.message} (${formatPosition(positionAt(source, first.span.start))})` : '');
    this.source = source;
    this.diagnostics = diagnostics;
  }

  /** The diagnostics with the lines of source that they are about. */
  render(): string {
    return renderDiagnostics(this.source, this.diagnostics);
  }
}

/** The text is not an expression, or exceeds a limit (language, section 2). */
export class ExpressionSyntaxError extends ExpressionError {
  override readonly name = 'ExpressionSyntaxError';
}

/** The expression would fail on every record (language, section 6). */
export class ExpressionCheckError extends ExpressionError {
  override readonly name = 'ExpressionCheckError';
}

/** An engine cannot answer the expression as the others do, and does not answer it otherwise. */
export class ExpressionUnsupportedError extends ExpressionError {
  override readonly name = 'ExpressionUnsupportedError';
}

/** A record brought a value of a type that `and`, `or` or a filter does not take (language, section 4, rule 6, and section 5). */
export class ExpressionTypeError extends ExpressionError {
  override readonly name = 'ExpressionTypeError';
  /** `and`, `or`, or `where` for the filter as a whole. */
  readonly operator: 'and' | 'or' | 'where';
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
