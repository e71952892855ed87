import type { ChartAnnotation } from '../../answers/answer.ts';

/** Shows the results of one kind of query. */
export interface ResultView {
  readonly root: HTMLElement;
  /** Shows the response to a request. It has the documented shape: only our own server sends it. */
  show(result: unknown, parameters: ReadonlyMap<string, string>, annotations?: readonly ChartAnnotation[]): void;
}
