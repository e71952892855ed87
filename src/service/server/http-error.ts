/** A request that is refused for how it came, whatever it asks for. The message says to the client why and what to do. */
export class HttpError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 414 | 415 | 417 | 431 | 499 | 503,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
