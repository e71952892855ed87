import type { Properties } from '../../src/lang/value.ts';
import type { Case } from '../cases/case.ts';
import type { FilterTemplate } from '../dialect.ts';

/** Answers a filter record by record. True selects; whatever else a peer answers does not. */
export type Filter = (record: Properties) => unknown;

/** Answers a filter over all events at once. */
interface Selection {
  /** The places of the selected events, in order. */
  readonly rows: () => ArrayLike<number> | Promise<ArrayLike<number>>;
  /** What is timed: how many there are. */
  readonly count: () => number | Promise<number>;
}

interface Common {
  readonly name: string;
  readonly group: 'by hand' | 'onwhere' | 'peer';
  /**
   * The question as a text in the engine's language.
   *
   * @throws {Inexpressible} where the language cannot say it.
   */
  readonly write: (filter: FilterTemplate) => string;
}

/** An engine that compiles a text to a function of a record. With `async`, the function gives promises. */
export interface RecordEngine extends Common {
  readonly over: 'records';
  readonly async?: boolean;
  /** Makes of the properties what the engine reads best, before any time is taken. */
  readonly adapt?: (properties: Properties) => Properties;
  readonly load: (testCase: Case) => Promise<(text: string) => Filter> | ((text: string) => Filter);
}

/** An engine that takes in all events first, untimed, and then plans and runs texts over them. */
export interface SetEngine extends Common {
  readonly over: 'sets';
  readonly load: (
    events: readonly Properties[],
    testCase: Case,
  ) => Promise<(text: string) => Selection | Promise<Selection>>;
}

export type Engine = RecordEngine | SetEngine;
