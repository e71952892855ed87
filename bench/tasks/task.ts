import type { Case } from '../cases/case.ts';
import type { Engine } from '../engines/engine.ts';

/** What one round measured, by metric, in the unit of the task. */
export type Round = Readonly<Record<string, number>>;

/** An engine made ready for a case, in a process of its own. */
export interface Ready {
  /** The places of the selected events, to be checked before anything is timed. */
  readonly rows?: Uint32Array;
  readonly round: () => Round | Promise<Round>;
}

/** Something to measure of an engine on a case. */
export type Task = (engine: Engine, testCase: Case) => Promise<Ready>;
