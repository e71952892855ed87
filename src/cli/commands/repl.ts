import { EXIT } from '../exit.ts';
import { loadSchema } from '../load-schema.ts';
import { colourInput } from '../repl/colour-input.ts';
import { completeInput } from '../repl/complete-input.ts';
import { Dialogue } from '../repl/dialogue.ts';
import { History } from '../repl/history.ts';
import { HistoryFile } from '../repl/history-file.ts';
import { LineEditor } from '../repl/line-editor.ts';
import type { LineSource } from '../repl/line-source.ts';
import { PlainLines } from '../repl/plain-lines.ts';
import { readInput } from '../repl/read-input.ts';
import { Sample } from '../repl/sample.ts';
import { styled } from '../terminal.ts';

export interface ReplOptions {
  /** A file that says which properties there are; without it, the events do. */
  readonly schema?: string;
}

/** Reads expressions and commands and answers them on the events of a file, until it is left; answers the exit code. */
export async function repl(file: string | undefined, { schema }: ReplOptions): Promise<number> {
  const sample = file === undefined ? new Sample('', []) : await Sample.load(file);
  const known = schema === undefined ? sample.inferSchema() : await loadSchema(schema);
  const dialogue = new Dialogue({ sample, schema: known, last: '', inputs: [] });
  console.log(`${sample.describe()}. Type an expression, or .help for help.`);
  const lines = openLines(dialogue);
  try {
    await converse(dialogue, lines);
  } finally {
    lines.close();
  }
  return process.stdin.isTTY ? EXIT.ok : dialogue.code;
}

function openLines({ state }: Dialogue): LineSource {
  if (!process.stdin.isTTY || !process.stdout.isTTY || process.env.TERM === 'dumb') return new PlainLines();
  const file = new HistoryFile();
  return new LineEditor({
    history: new History(file.read(), (entry) => file.append(entry)),
    colour: colourInput,
    complete: (input, offset) => completeInput(input, offset, state.schema),
  });
}

async function converse(dialogue: Dialogue, lines: LineSource): Promise<void> {
  for (;;) {
    const input = await readInput(lines, (text) => dialogue.goesOn(text));
    if (input === 'end') return;
    if (input === 'interrupt') {
      console.log(styled(process.stdout, 'dim', 'Ctrl-D or .exit to leave.'));
    } else if (input.text.trim() !== '') {
      lines.remember(input.text);
      const answer = await dialogue.answer(input.text);
      if (answer === undefined) return;
      console.log(answer);
    }
  }
}
