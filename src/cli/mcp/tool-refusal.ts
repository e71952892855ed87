/** A tool refuses a call. The client gets `details` as JSON, marked as an error. */
export class ToolRefusal extends Error {
  constructor(
    message: string,
    readonly details: object = {},
  ) {
    super(message);
  }
}
