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
