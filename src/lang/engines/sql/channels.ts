import type { Sql } from './sql.ts';

/**
 * A dynamic value as SQL expressions, one for each type that it can have. At most one of them holds a value; if none
 * does, the value is undefined.
 */
export interface Channels {
  /** A double; NULL if the value is not a number. */
  readonly number?: NumberChannel;
  /** A string; NULL if the value is not a string. */
  readonly string?: StringChannel;
  /** A boolean; NULL if the value is not a boolean. */
  readonly boolean?: BooleanChannel;
  /** Whether the value is null; never NULL. */
  readonly null?: Sql;
  /** An array of element keys; NULL if the value is not a list. */
  readonly list?: Channel;
  /** A cheaper test for undefined than testing each type, if there is one; never NULL. */
  readonly undefined?: Sql;
  /** The value as JSON, whatever its type; NULL or empty if there is none. Enough to select the value. */
  readonly json?: Sql;
  /** Cheaper casts of the value than casting from each type, if there are any. */
  readonly casts?: Readonly<Partial<Record<CastName, Sql>>>;
}

/** The functions that cast every operand to one type. */
export type CastName = 'number' | 'boolean' | 'datetime';

export interface Channel {
  readonly sql: Sql;
  /** A cheaper presence test than reading the value, if there is one; never NULL. */
  readonly present?: Sql;
}

interface NumberChannel {
  readonly sql: Sql;
  /** If false, infinities and NaN may represent undefined, like NULL. */
  readonly isFinite: boolean;
}

interface BooleanChannel extends Channel {
  /** A cheaper test for true than reading the value, if there is one; NULL or false otherwise. */
  readonly isTrue?: Sql;
}

interface StringChannel extends Channel {
  /** A cheaper test for one of these strings than reading the value, if there is one; NULL or false otherwise. */
  readonly isOneOf?: (strings: readonly string[]) => Sql;
}
