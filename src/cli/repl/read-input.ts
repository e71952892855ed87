const PROMPT = 'onwhere> ';
const CONTINUATION = '     ... ';

/** An input of one or more lines, Ctrl-C on an empty input, or the end. */
export type ReplInput = { readonly text: string } | 'interrupt' | 'end';

/** Reads an input: a line and, while it is incomplete, the lines after it. An empty line ends it, Ctrl-C drops it. */
export async function readInput(lines: LineSource, isIncomplete: (input: string) => boolean): Promise<ReplInput> {
  let begun = '';
  for (;;) {
    const line = await lines.read(begun === '' ? PROMPT : CONTINUATION, begun);
    if (line === 'end') return begun === '' ? 'end' : { text: begun };
    if ('dropped' in line) return begun + line.dropped === '' ? 'interrupt' : { text: '' };
    const input = begun + line.text;
    if (line.text.trim() === '' || !isIncomplete(input)) return { text: input };
    begun = `${input}\n`;
  }
}

/** An input that is a command: a word that begins with a dot, and an argument. */
export interface CommandInput {
  readonly name: string;
  readonly argument: string;
  /** The start of the argument in the input. */
  readonly offset: number;
}

/** Splits a command into name and argument. Returns undefined for expressions, including `.5`. */
export function splitInput(input: string): CommandInput | undefined {
  const [head, name] = /^\s*(\.(?!\d)\S*)\s*/.exec(input) ?? [];
  if (head === undefined || name === undefined) return undefined;
  return { name, argument: input.slice(head.length).trimEnd(), offset: head.length };
}

/** The result of reading a line: a line, one dropped with Ctrl-C, or the end. */
export type Line = { readonly text: string } | { readonly dropped: string } | 'end';

/** A source of lines. */
export interface LineSource {
  /** Reads the next line after a prompt. `begun` holds the previous lines of the same input. */
  read(prompt: string, begun: string): Promise<Line>;
  /** Adds an input to the history. */
  remember(input: string): void;
  /** Releases the source. */
  close(): void;
}
