import type { Properties } from '../../src/lang/value.ts';
import type { FilterTemplate } from '../dialect.ts';

type ByHand = (properties: Properties) => boolean;

/**
 * A filter over events, and the same written by hand with the exact semantics: what every engine is checked
 * against.
 */
export interface Case {
  readonly name: string;
  readonly filter: FilterTemplate;
  /** Reads properties plainly, as people do. */
  readonly byHand: ByHand;
  /** Reads only the properties that the record itself has, as the language does (language, section 1). */
  readonly byHandOwn: ByHand;
  /** Loads the events; none where they are a file that is absent. */
  readonly events: () => Properties[];
  /** How many events are selected, where other tools have agreed on it. */
  readonly known?: number;
}
