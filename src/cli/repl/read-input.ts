import type { LineSource } from './line-source.ts';

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
