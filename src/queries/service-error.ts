/** A refused request. The message tells the client why and what to do. */
export class ServiceError extends Error {
  /** The kind of object that the query names and that does not exist. */
  readonly missing?: 'dataset' | 'version';

  constructor(
    /** The HTTP status of the response. */
    readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 503 | 507,
    message: string,
    { missing, ...options }: ErrorOptions & { readonly missing?: 'dataset' | 'version' } = {},
  ) {
    super(message, options);
    if (missing !== undefined) this.missing = missing;
  }
}
