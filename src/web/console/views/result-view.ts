/** Shows the results of one kind of query. */
export interface ResultView {
  readonly root: HTMLElement;
  /** Shows a result, which has the published shape, of a query with these parameters. */
  show(result: unknown, parameters: ReadonlyMap<string, string>): void;
}
