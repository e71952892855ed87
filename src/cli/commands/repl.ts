import { createInterface } from 'node:readline';
import { check, compile } from '../../api.ts';
import type { EventRecord } from '../../events/event-record.ts';
import { ExpressionError } from '../../language/errors.ts';
import { showValue } from '../../language/show-value.ts';
import { printable } from '../../util/printable.ts';
import { BrokenRecords } from '../broken-records.ts';
import { UsageError } from '../exit.ts';
import { readEvents } from '../input/read-events.ts';
import { rendered, styled } from '../terminal.ts';

/** Events that are held for trying expressions on. */
const SAMPLE = 1000;
const PROMPT = 'onwhere> ';

const HELP = `Type an expression to see its value on the current event and its static type.
  .event   show the current event
  .next    go to the next event
  .help    show this
  .exit    leave (also Ctrl-D)`;

/** Reads expressions and answers them on the events of a file, until it is left. */
export async function repl(file: string | undefined): Promise<void> {
  const dialogue = new Dialogue(file === undefined ? [] : await sampleOf(file));
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: process.stdin.isTTY ? PROMPT : '',
    terminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
  });
  console.log(`${dialogue.describe()}. Type .help for help.`);
  terminal.prompt();
  let left = false;
  terminal.on('line', (line) => {
    const answer = dialogue.answer(line.trim());
    if (answer === undefined) {
      left = true;
      return terminal.close();
    }
    if (answer !== '') console.log(answer);
    terminal.prompt();
  });
  // After Ctrl-Z and `fg`, reading has stopped.
  terminal.on('SIGCONT', () => terminal.prompt());
  terminal.on('SIGINT', () => {
    // Drops the line that was begun, as shells do.
    process.stdout.write('\n');
    terminal.write(null, { ctrl: true, name: 'e' });
    terminal.write(null, { ctrl: true, name: 'u' });
    terminal.prompt();
  });
  await new Promise<void>((resolve) => terminal.once('close', resolve));
  // After Ctrl-D the prompt still stands on the line.
  if (!left && terminal.terminal) process.stdout.write('\n');
}

async function sampleOf(file: string): Promise<EventRecord[]> {
  if (file === '-') throw new UsageError('repl reads what you type from standard input: name a file for the events');
  const sample: EventRecord[] = [];
  const broken = new BrokenRecords();
  for await (const { records } of readEvents(file, { onBroken: (found) => broken.add(found) })) {
    sample.push(...records.slice(0, SAMPLE - sample.length));
    if (sample.length === SAMPLE) break;
  }
  broken.tell();
  return sample;
}

/** The events, which of them is the current one, and what a line is answered. */
class Dialogue {
  private current = 0;

  constructor(private readonly events: readonly EventRecord[]) {}

  describe(): string {
    const { length } = this.events;
    if (length === 0) return 'No events: every property is undefined';
    return `Event ${this.current + 1} of ${length}${length === SAMPLE ? ' (the first of the file)' : ''}`;
  }

  /** What to print; undefined to leave. */
  answer(line: string): string | undefined {
    switch (line) {
      case '':
        return '';
      case '.exit':
        return undefined;
      case '.help':
        return HELP;
      case '.event':
        return this.show();
      case '.next':
        this.current = (this.current + 1) % Math.max(1, this.events.length);
        return this.show();
      default:
        return line.startsWith('.') && !/^\.\d/.test(line)
          ? `There is no command ${printable(line)}. Type .help for help.`
          : this.evaluate(line);
    }
  }

  private show(): string {
    const event = this.events[this.current];
    return event === undefined ? this.describe() : `${this.describe()}:\n${printable(event.text())}`;
  }

  private evaluate(source: string): string {
    const { diagnostics, types } = check(source);
    const shown = diagnostics.length > 0 ? [rendered(process.stdout, source, diagnostics)] : [];
    if (diagnostics.some(({ severity }) => severity === 'error')) return shown.join('\n');
    const { properties = {}, user } = this.events[this.current] ?? {};
    try {
      const value = printable(showValue(compile(source)(properties, user)));
      shown.push(`${value} ${styled(process.stdout, 'dim', `: ${types.join(' or ')}`)}`);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      shown.push(rendered(process.stdout, source, error.diagnostics));
    }
    return shown.join('\n');
  }
}
