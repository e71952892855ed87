/** The control of a form field. */
export interface FieldControl {
  readonly root: HTMLElement;
  value: string;
  /** Shows an error of the server next to the field. An empty message removes it. */
  setError(message: string): void;
  /** Moves the focus to what has to be corrected before the form is sent, and returns whether there is anything. */
  focusInvalid(): boolean;
}
