/** Shows the answers to queries of a kind. */
export interface AnswerView {
  readonly root: HTMLElement;
  /** Shows an answer to the parameters. It is as published: nothing else answers. */
  show(answer: unknown, asked: ReadonlyMap<string, string>): void;
}
