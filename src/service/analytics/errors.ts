/** A mistake in a query, which whoever asks can mend. The message is for people and says where and what. */
export class QueryError extends Error {
  constructor(
    /** Whether a filter, an expression that is read, or a parameter is wrong. */
    readonly kind: 'selector' | 'action' | 'parameter',
    message: string,
    /** The names in the published interface of the parameters that may be at fault, the likeliest first. Some may not have been given. */
    readonly parameters: readonly string[] = [],
  ) {
    super(message);
  }
}

/** A query that is not answered for reasons that are none of the query's own. The message says to whoever asks what to do. */
export class QueryLimitError extends Error {
  constructor(
    /** Too many wait, or this one took too long. */
    readonly kind: 'overload' | 'time limit',
    message: string,
  ) {
    super(message);
  }
}
