import { EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadSchema } from '../options.ts';
import { colourInput } from '../repl/colour-input.ts';
import { completeInput } from '../repl/complete-input.ts';
import { Dialogue } from '../repl/dialogue.ts';
import { History } from '../repl/history.ts';
import { HistoryFile } from '../repl/history-file.ts';
import { LineEditor } from '../repl/line-editor.ts';
import { PlainLines } from '../repl/plain-lines.ts';
import type { LineSource } from '../repl/read-input.ts';
import { readInput } from '../repl/read-input.ts';
import { Sample, type SampleOptions } from '../repl/sample.ts';

export interface ReplOptions extends SampleOptions {
  /** A schema file. The default schema is inferred from the events. */
  readonly schema?: string;
  /** The time zone of dates without one. Default: UTC. */
  readonly timeZone?: string;
}

/**
 * Reads expressions and commands and prints their results on the events of a file, until the user leaves.
 *
 * @returns The exit code.
 */
export async function runRepl(io: Io, file: string | undefined, options: ReplOptions): Promise<number> {
  const { schema, timeZone = 'UTC', ...reading } = options;
  const sample = file === undefined ? new Sample('', [], reading) : await Sample.load(io, file, reading);
  const known = schema === undefined ? sample.inferSchema() : await loadSchema(schema);
  const dialogue = new Dialogue({ io, sample, schema: known, timeZone, last: '', inputs: [] });
  io.out.write(`${sample.describe()}. Type an expression, or .help for help.\n`);
  const lines = openLines(dialogue);
  try {
    await converse(dialogue, lines);
  } finally {
    lines.close();
  }
  return io.in.isTTY ? EXIT.ok : dialogue.code;
}

function openLines({ state }: Dialogue): LineSource {
  const { io } = state;
  if (!io.in.isTTY || !io.out.isTTY || io.env.TERM === 'dumb') return new PlainLines(io);
  const file = new HistoryFile(io);
  return new LineEditor(io, {
    history: new History(file.read(), (entry) => file.append(entry)),
    colour: (input, from, cursor) => colourInput(io.out, input, from, cursor),
    complete: (input, offset) => completeInput(input, offset, state.schema),
  });
}

async function converse(dialogue: Dialogue, lines: LineSource): Promise<void> {
  const { out } = dialogue.state.io;
  for (;;) {
    const input = await readInput(lines, (text) => dialogue.isIncomplete(text));
    if (input === 'end') return;
    if (input === 'interrupt') {
      out.write(`${out.styled('dim', 'Press Ctrl-D or type .exit to leave.')}\n`);
    } else if (input.text.trim() !== '') {
      lines.remember(input.text);
      const answer = await dialogue.answer(input.text);
      if (answer === undefined) return;
      out.write(`${answer}\n`);
    }
  }
}
