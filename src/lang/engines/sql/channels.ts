import type { Sql } from './sql.ts';

/**
 * A dynamic value as SQL expressions, one for each type that it can have. At most one of them holds a value at a time; where none
 * does, the value is undefined.
 */
export interface Channels {
  /** A double, NULL where the value is no number. */
  readonly number?: NumberChannel;
  /** A text, NULL where the value is none. */
  readonly string?: TextChannel;
  /** A boolean, NULL where the value is none. */
  readonly boolean?: BooleanChannel;
  /** Whether the value is null; never NULL. */
  readonly null?: Sql;
  /** An array of element keys, NULL where the value is no list. */
  readonly list?: Channel;
  /** Whether the value is undefined, where that can be asked with less than asking for each type takes; never NULL. */
  readonly undefined?: Sql;
  /** The value as JSON text, NULL or empty where there is none: all that a selection needs, whatever the type. */
  readonly json?: Sql;
  /** What a cast makes of the value, where that can be asked with less than casting it from each type. */
  readonly casts?: Readonly<Partial<Record<CastName, Sql>>>;
}

/** The functions that make one type of all that they take. */
export type CastName = 'number' | 'boolean' | 'datetime';

export interface Channel {
  readonly sql: Sql;
  /** Whether there is a value, where that can be asked with less than reading it takes; never NULL. */
  readonly present?: Sql;
}

interface NumberChannel {
  readonly sql: Sql;
  /** If not, infinities and what is not a number may stand for undefined, as NULL does. */
  readonly isFinite: boolean;
}

interface BooleanChannel extends Channel {
  /** Whether it is true, where that can be asked with less than reading it takes; NULL or false where it is not. */
  readonly isTrue?: Sql;
}

interface TextChannel extends Channel {
  /** Whether it is one of these texts, where that can be asked with less than reading it takes; NULL or false where it is not. */
  readonly isOneOf?: (texts: readonly string[]) => Sql;
}
