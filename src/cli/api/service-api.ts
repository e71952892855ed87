import { EXIT } from '../exit.ts';

/** A query without an answer. The message is all that a person needs to see. */
export class ServiceApiError extends Error {
  constructor(
    message: string,
    /** What the command line ends with. */
    readonly exitCode: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** What a status of HTTP and the published message mean. */
  static answered(status: number, message: string): ServiceApiError {
    if (message.startsWith('Query Error')) return new ServiceApiError(message, EXIT.expression);
    return new ServiceApiError(message, status === 429 || status >= 500 ? EXIT.data : EXIT.usage);
  }
}

/** What a query is told, by the names of the published interface. */
export type QueryParameters = Readonly<Record<string, string>>;

/** What answers the queries of the published interface: a server, or a data folder. */
export interface ServiceApi {
  /**
   * Asks a query by its path, such as `/segmentation/`, and answers the body as it is published.
   *
   * @throws {ServiceApiError} where there is no answer.
   */
  ask(path: string, parameters: QueryParameters): Promise<string>;
}
