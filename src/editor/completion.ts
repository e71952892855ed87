import type { Span } from '../lang/source.ts';

export type CompletionKind = 'value' | 'property' | 'scope' | 'function' | 'constant' | 'operator';

/** One completion. */
export interface Completion {
  /** The label in the list: `plan`, `floor`, `"pro"`. */
  readonly label: string;
  /** The string that replaces the span. */
  readonly insert: string;
  /** Offset of the cursor in the inserted string. Default: its end. */
  readonly cursor?: number;
  readonly kind: CompletionKind;
  /** The types of a property, the operands of a function. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
}

/** The completions at an offset, best first. */
export interface Completions {
  /** The span to replace: the token at the cursor and, after the name of a property, its closing bracket. */
  readonly span: Span;
  readonly items: readonly Completion[];
}
