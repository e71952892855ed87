import type { Schema } from '../check/schema.ts';
import type { Span } from '../language/source.ts';
import type { TypeName } from '../language/types.ts';

/** What there is to say about a place. */
export interface Hover {
  /** The smallest expression around the place. */
  readonly span: Span;
  /** The expression on one line. */
  readonly code: string;
  /** The types that its value can have. */
  readonly types: readonly TypeName[];
  /** Markdown: what the operator does, or what is known of the property. */
  readonly documentation?: string;
}

/** What to show over an offset of an expression; nothing over white space, and in a text that is no expression. */
export function hover(_source: string, _offset: number, _schema?: Schema): Hover | undefined {
  return undefined;
}
