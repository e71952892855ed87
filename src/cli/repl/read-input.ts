const PROMPT = 'onwhere> ';
const CONTINUATION = '     ... ';

/** An input of one or more lines, Ctrl-C where there is none, or the end. */
export type ReplInput = { readonly text: string } | 'interrupt' | 'end';

/** Reads an input: a line and, while it goes on, those after it. An empty line ends it as it is, Ctrl-C drops it. */
export async function readInput(lines: LineSource, goesOn: (input: string) => boolean): Promise<ReplInput> {
  let begun = '';
  for (;;) {
    const line = await lines.read(begun === '' ? PROMPT : CONTINUATION, begun);
    if (line === 'end') return begun === '' ? 'end' : { text: begun };
    if ('dropped' in line) return begun + line.dropped === '' ? 'interrupt' : { text: '' };
    const input = begun + line.text;
    if (line.text.trim() === '' || !goesOn(input)) return { text: input };
    begun = `${input}\n`;
  }
}

/** An input that begins with a word with a dot. */
export interface CommandInput {
  readonly name: string;
  readonly argument: string;
  /** Where in the input the argument begins. */
  readonly offset: number;
}

/** Takes a command apart; undefined for what is an expression, `.5` among them. */
export function splitInput(input: string): CommandInput | undefined {
  const [head, name] = /^\s*(\.(?!\d)\S*)\s*/.exec(input) ?? [];
  if (head === undefined || name === undefined) return undefined;
  return { name, argument: input.slice(head.length).trimEnd(), offset: head.length };
}

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
