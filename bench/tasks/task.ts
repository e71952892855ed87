import type { Case } from '../cases/case.ts';
import type { Engine } from '../engines/engine.ts';

/** The results of one round by metric, in the unit of the task. */
export type Round = Readonly<Record<string, number>>;

/** An engine that is ready for a case, in its own process. */
export interface Ready {
  /** The indexes of the selected events, which are checked before anything is timed. */
  readonly rows?: Uint32Array;
  readonly round: () => Round | Promise<Round>;
}

/** Prepares a measurement of an engine on a case. */
export type Task = (engine: Engine, testCase: Case) => Promise<Ready>;
