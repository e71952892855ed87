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
