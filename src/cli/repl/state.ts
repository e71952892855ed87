import type { Schema } from '../../lang/check/schema.ts';
import type { Io } from '../io.ts';
import type { Sample } from './sample.ts';

/** The state that is kept between inputs. */
export interface ReplState {
  readonly io: Io;
  sample: Sample;
  /** The known properties. */
  schema: Schema;
  /** The time zone of dates without one. */
  readonly timeZone: string;
  /** The last expression, entered alone or with a command. */
  last: string;
  /** All inputs, for `.save`. */
  readonly inputs: string[];
}
