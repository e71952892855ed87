import type { Span } from '../lang/source.ts';

export type CompletionKind = 'value' | 'property' | 'scope' | 'function' | 'constant' | 'operator';

/** Something that could stand at a place. */
export interface Completion {
  /** What to list: `plan`, `floor`, `"pro"`. */
  readonly label: string;
  /** What to put in place of the span. */
  readonly insert: string;
  /** Where in the inserted text to go on typing; at its end, where left out. */
  readonly cursor?: number;
  readonly kind: CompletionKind;
  /** The types of a property, the operands of a function. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
}

/** What could stand at a place, best first. */
export interface Completions {
  /** What the insertion replaces: the token that the place is in and, behind the name of a property, its bracket. */
  readonly span: Span;
  readonly items: readonly Completion[];
}
