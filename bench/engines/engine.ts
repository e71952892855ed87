import type { Properties } from '../../src/lang/value.ts';
import type { Case } from '../cases/case.ts';
import type { FilterTemplate } from '../dialect.ts';

/** Evaluates a filter on a record. Only true selects; peers may also return other values. */
export type Filter = (record: Properties) => unknown;

/** Evaluates a filter over all events at once. */
interface Selection {
  /** Returns the indexes of the selected events, in order. */
  readonly rows: () => ArrayLike<number> | Promise<ArrayLike<number>>;
  /** Returns the number of selected events. This is timed. */
  readonly count: () => number | Promise<number>;
}

interface Common {
  readonly name: string;
  readonly group: 'by hand' | 'onwhere' | 'peer';
  /**
   * Writes the filter as a source in the language of the engine.
   *
   * @throws {Inexpressible} if the language cannot express it.
   */
  readonly write: (filter: FilterTemplate) => string;
}

/** An engine that compiles a source to a function of a record. With `async`, the function returns promises. */
export interface RecordEngine extends Common {
  readonly over: 'records';
  readonly async?: boolean;
  /** Converts the properties to the form that the engine reads fastest, before anything is timed. */
  readonly adapt?: (properties: Properties) => Properties;
  readonly load: (testCase: Case) => Promise<(source: string) => Filter> | ((source: string) => Filter);
}

/** An engine that loads all events first, untimed, and then plans and runs sources over them. */
export interface SetEngine extends Common {
  readonly over: 'sets';
  readonly load: (
    events: readonly Properties[],
    testCase: Case,
  ) => Promise<(source: string) => Selection | Promise<Selection>>;
}

export type Engine = RecordEngine | SetEngine;
