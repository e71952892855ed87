import { pluralize } from '../base/strings.ts';
import type { Diagnostic } from './diagnostic.ts';
import { diagnose } from './diagnostic.ts';
import { renderDiagnostics } from './render.ts';
import { formatPosition, positionAt, type Span } from './source.ts';
import type { TypeName } from './types.ts';
import { toTypeSet } from './types.ts';

/** A function of the library that a program calls. */
export type Callee = (...parameters: never[]) => unknown;

interface Trace {
  stack?: string;
}

/** The constructor of errors, to which some JavaScript engines add a function. */
const Engine = Error as { readonly captureStackTrace?: (trace: Trace, callee: Callee) => void };

/** The stack traces that begin at the caller of the library. */
const traces = new WeakMap<ExpressionError, Trace>();

/**
 * The base class of the errors about an expression. It has the source and the diagnostics. They are getters, because
 * Node.js prints the other properties of an uncaught error after its stack.
 */
export abstract class ExpressionError extends Error {
  readonly #source: string;
  readonly #diagnostics: readonly Diagnostic[];

  constructor(source: string, diagnostics: readonly Diagnostic[]) {
    const first = diagnostics.find(isError);
    super(first ? `${first.message} (${formatPosition(positionAt(source, first.span.start))})` : '');
    this.#source = source;
    this.#diagnostics = diagnostics;
  }

  /** The source of the expression. */
  get source(): string {
    return this.#source;
  }

  /** Errors and warnings in source order, with at least one error. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** The message, the marked source of the first error, and the frames from the caller of the library. */
  override get stack(): string {
    const frames = traces.get(this)?.stack?.match(/^ {4}at (?!.*node:internal\/).*/gm) ?? [];
    const [first, ...others] = this.diagnostics.filter(isError);
    const [, ...lines] = first ? renderDiagnostics(this.source, [first]).split('\n') : [];
    const more = others.length > 0 ? [`  (${pluralize(others.length, 'more error')})`] : [];
    return [`${this.name}: ${this.message}`, ...lines, ...more, ...frames].join('\n');
  }

  override set stack(value: string) {
    Object.defineProperty(this, 'stack', { value, writable: true, configurable: true });
  }

  /** Renders the diagnostics as text, with the lines of source that they are about. */
  render(): string {
    return renderDiagnostics(this.source, this.diagnostics);
  }
}

/** Thrown if a source is not an expression, or exceeds a limit (language, section 2). */
export class ExpressionSyntaxError extends ExpressionError {
  override get name(): 'ExpressionSyntaxError' {
    return 'ExpressionSyntaxError';
  }
}

/** Thrown if an expression would fail on every record (language, section 6). */
export class ExpressionCheckError extends ExpressionError {
  override get name(): 'ExpressionCheckError' {
    return 'ExpressionCheckError';
  }
}

/** Thrown if an engine, such as the SQL of a database, cannot evaluate an expression exactly as the others do. */
export class ExpressionUnsupportedError extends ExpressionError {
  override get name(): 'ExpressionUnsupportedError' {
    return 'ExpressionUnsupportedError';
  }
}

/** Thrown if a filter of another language has no exact translation. The source is that filter. */
export class TranslationError extends ExpressionError {
  override get name(): 'TranslationError' {
    return 'TranslationError';
  }
}

/**
 * Thrown when an expression is evaluated on a record where `and`, `or` or the filter gets a value that is neither a
 * boolean nor undefined (language, section 4, rule 6, and section 5).
 */
export class ExpressionTypeError extends ExpressionError {
  override get name(): 'ExpressionTypeError' {
    return 'ExpressionTypeError';
  }
  readonly #operator: 'and' | 'or' | 'where';
  readonly #found: TypeName;
  readonly #span: Span;

  constructor(source: string, operator: 'and' | 'or' | 'where', found: TypeName, span: Span) {
    const types = toTypeSet([found]);
    super(source, [
      operator === 'where'
        ? diagnose('filter-type', span, { found: types })
        : diagnose('operand-type', span, { operator, found: types }),
    ]);
    this.#operator = operator;
    this.#found = found;
    this.#span = span;
  }

  /** `and`, `or`, or `where` for the filter as a whole. */
  get operator(): 'and' | 'or' | 'where' {
    return this.#operator;
  }

  /** The type of the value. */
  get found(): TypeName {
    return this.#found;
  }

  get span(): Span {
    return this.#span;
  }
}

/**
 * Begins the stack trace of an error about an expression at the caller of a function: the frames inside of the library
 * tell the caller nothing. Other errors, and errors in engines that cannot do so, stay the same. Returns the error.
 */
export function traceFrom(callee: Callee, error: unknown): unknown {
  if (!(error instanceof ExpressionError) || Engine.captureStackTrace === undefined) return error;
  // For an uncaught error, Node.js shows the line of the first frame.
  Engine.captureStackTrace(error, callee);
  // Only a stack of the object itself would hide the getter, and Node.js forgets the line if that is replaced.
  delete (error as Trace).stack;
  const trace: Trace = {};
  Engine.captureStackTrace(trace, callee);
  traces.set(error, trace);
  return error;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
