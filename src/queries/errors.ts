/** An error in a query that the caller can fix. The message says what is wrong, and where. */
export class QueryError extends Error {
  constructor(
    /** Whether a filter, another expression or a parameter is wrong. */
    readonly kind: 'selector' | 'action' | 'parameter',
    message: string,
    /** The API names of the parameters that may be at fault, most likely first. The request may lack some of them. */
    readonly parameters: readonly string[] = [],
  ) {
    super(message);
  }
}

/** A query that fails because of the server's limits. The message tells the caller what to do. */
export class QueryLimitError extends Error {
  constructor(
    /** Whether too many queries wait, or this one took too long. */
    readonly kind: 'overload' | 'time limit',
    message: string,
  ) {
    super(message);
  }
}
