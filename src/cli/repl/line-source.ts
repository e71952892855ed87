/** What a reader of lines comes to: a line, one that was dropped with Ctrl-C, or the end. */
export type Line = { readonly text: string } | { readonly dropped: string } | 'end';

/** Where lines come from. */
export interface LineSource {
  /** Reads the next line behind a prompt. It goes on with an input that was begun in the lines before it. */
  read(prompt: string, begun: string): Promise<Line>;
  /** Keeps an input to be gone back to. */
  remember(input: string): void;
  /** Lets go of where the lines come from. */
  close(): void;
}
