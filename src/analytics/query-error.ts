/** A mistake in a query, which whoever asks can mend. The message is for people and says where and what. */
export class QueryError extends Error {
  constructor(
    /** What is at fault: a filter, an expression that is read, the dates, or a parameter by its name. */
    readonly kind: 'selector' | 'action' | 'date range' | 'parameter',
    message: string,
    /** The name in the published interface of the parameter that is at fault. */
    readonly parameter?: string,
  ) {
    super(message);
  }
}
