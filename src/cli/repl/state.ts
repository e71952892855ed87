import type { Schema } from '../../lang/check/schema.ts';
import type { Io } from '../io.ts';
import type { Sample } from './sample.ts';

/** What stays from one input to the next. */
export interface ReplState {
  readonly io: Io;
  sample: Sample;
  /** The properties that are known. */
  schema: Schema;
  /** The expression that was entered last, on its own or behind a command. */
  last: string;
  /** What was entered, to be saved. */
  readonly inputs: string[];
}
