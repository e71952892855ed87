import type { Schema } from '../check/schema.ts';
import type { Span } from '../language/source.ts';

export type CompletionKind = 'property' | 'value' | 'function' | 'operator' | 'constant';

/** Something that could stand at a place. */
export interface Completion {
  /** What to list: `plan`, `floor`, `"pro"`. */
  readonly label: string;
  /** What to put in place of the span. */
  readonly insert: string;
  readonly kind: CompletionKind;
  /** The types of a property, the signature of a function. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
}

/** What could stand at a place, best first. */
export interface Completions {
  /** What the insertion replaces: what has been typed of it, up to the end of the token. */
  readonly span: Span;
  readonly items: readonly Completion[];
}

/**
 * What could stand at an offset of a text that need not be whole, chosen by what has been typed of it: operators behind an operand; before one
 * properties, functions and constants; in the brackets of a property its names; beside a comparison with a property its known values.
 */
export function complete(_source: string, offset: number, _schema?: Schema): Completions {
  return { span: { start: offset, end: offset }, items: [] };
}
