import type { TypeSet } from '../language/types.ts';
import type { Value } from '../language/value.ts';

/** What is known of a node without a record (language, section 6). */
export interface Facts {
  /** The types that its value can have. */
  readonly types: TypeSet;
  /** Its value, where that is the same for every record. */
  readonly constant?: { readonly value: Value };
  /** Whether evaluating it can raise a type error. */
  readonly fallible: boolean;
}
