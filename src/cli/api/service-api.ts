import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { EXIT } from '../exit.ts';

/** Says where the events of a query can be. */
export const NAME_A_PLACE =
  'Name event files, or pass --server and --secret to query a server, or --project and --data to query a data folder';

/** A query failed. The message is complete for users. */
export class ServiceApiError extends Error {
  constructor(
    message: string,
    /** The exit code of the command line. */
    readonly exitCode: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Creates the error of an HTTP status and its message. */
  static fromResponse(status: number, message: string): ServiceApiError {
    if (message.startsWith('Query Error')) return new ServiceApiError(message, EXIT.expression);
    return new ServiceApiError(message, status === 429 || status >= 500 ? EXIT.data : EXIT.usage);
  }
}

/** Runs the queries of the HTTP interface on a server, a data folder or files. */
export interface ServiceApi {
  /** Adds the parameters that the data stands in for if they are left out, such as dates. */
  complete?(path: string, parameters: QueryParameters): Promise<QueryParameters>;

  /**
   * Runs a query by its path, such as `/segmentation`, and returns the response body.
   *
   * @throws {ServiceApiError} if the query fails.
   */
  query(path: string, parameters: QueryParameters): Promise<string>;

  /**
   * Runs a query whose response has lines, and streams them in chunks.
   *
   * @throws {ServiceApiError} if the query fails, also while its response is read.
   */
  lines(path: string, parameters: QueryParameters): Promise<AsyncIterable<string | Uint8Array>>;
}
