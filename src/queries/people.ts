/** Which people a query selects. */
export interface PeopleSelection {
  /** A filter; all people if undefined. */
  readonly where?: string | undefined;
  /** Only people with one of these IDs; all people if undefined. */
  readonly distinctIds?: readonly string[] | undefined;
}

/** A person as the API returns it. */
export interface Person {
  readonly $distinct_id: string;
  readonly $properties: object;
}

/** A request for a page of the selected people. A session has its own selection. */
export interface PeopleRequest extends PeopleSelection {
  /** The session ID returned with the first page. */
  readonly sessionId?: string | undefined;
  /** The page number from 0. Pages after the first need a session. */
  readonly page: number;
}

export interface PeopleResult {
  readonly page: number;
  readonly pageSize: number;
  readonly results: readonly Person[];
  readonly sessionId: string;
  /** The number of people on all pages. */
  readonly total: number;
}
