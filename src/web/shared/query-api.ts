/** Parameters of a request, by their names in the HTTP API. */
export type RequestParameters = readonly (readonly [name: string, value: string])[];

/** An error response. The message can be shown to people. */
export class ApiError extends Error {
  constructor(
    /** HTTP status; 0 if the server did not respond. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Answers the requests of the query interface: a server, or a file in the browser. */
export interface QueryApi {
  /** Says how to make queries possible; undefined if they are. */
  readonly obstacle: string | undefined;
  /** Shown if there are no events. */
  readonly emptyHint: string;
  /** Whether charts have annotations. */
  readonly hasAnnotations: boolean;
  /**
   * Sends a request to an endpoint below `/api/2.0/` and returns the parsed JSON of the response.
   *
   * @throws {ApiError} if the response is an error, or there is none.
   * @throws {DOMException} if the signal aborts the request.
   */
  post(path: string, parameters: RequestParameters, signal?: AbortSignal): Promise<unknown>;
  /**
   * Sends a request whose response is NDJSON, and returns its first lines.
   *
   * @throws as {@link post}.
   */
  readLines(path: string, parameters: RequestParameters, limit: number): Promise<readonly string[]>;
  /**
   * Returns the saved filters that imports are matched with. Files have none.
   *
   * @throws {ApiError} like `post`
   */
  listSavedFilters?(): Promise<readonly KnownSavedFilter[]>;
  /** Returns shell commands that send the same query, by the program that they use. */
  formatCommands(path: string, parameters: RequestParameters): readonly ShellCommand[];
}

/** A segment of a server, and how many events it has matched. */
export interface KnownSavedFilter {
  readonly name: string;
  readonly event: string | null;
  readonly where: string;
  readonly events: number;
  /** In ISO 8601. */
  readonly since: string;
  readonly last_import: { readonly time: string; readonly events: number; readonly people: number } | null;
}

/** A command for a shell, or SQL for a database. */
export interface ShellCommand {
  readonly name: string;
  /** Completes “Copy …”. */
  readonly title: string;
  readonly text: string;
}
