/** An error that is sent to the client. The message says what is wrong with the request and what to do. */
export class HttpError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 414 | 415 | 417 | 431 | 499 | 503,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
