/** A field of the form. */
export interface FieldControl {
  readonly root: HTMLElement;
  /** The value as text. */
  text: string;
  /** Shows an error of the server beside the field; an empty message hides it. */
  showError(message: string): void;
}
