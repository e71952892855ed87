import type { Properties } from '../../src/lang/value.ts';
import type { FilterTemplate } from '../dialect.ts';

type ByHand = (properties: Properties) => boolean;

/**
 * A filter over events, and the same filter written by hand with the exact semantics. Every engine is checked against
 * it.
 */
export interface Case {
  readonly name: string;
  readonly filter: FilterTemplate;
  /** Reads properties directly, as people do. */
  readonly byHand: ByHand;
  /** Reads only own properties, as the language does (language, section 1). */
  readonly byHandOwn: ByHand;
  /** Loads the events; none if their file is missing. */
  readonly events: () => Properties[];
  /** The number of selected events on which other tools agree. */
  readonly known?: number;
}
