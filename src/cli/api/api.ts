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
