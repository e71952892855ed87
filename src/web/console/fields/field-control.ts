/** A field of the form. */
export interface FieldControl {
  readonly root: HTMLElement;
  /** What stands in it. */
  text: string;
  /** Says beside it what the server says of it; nothing with an empty message. */
  complain(message: string): void;
}
