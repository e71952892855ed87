import { createInterface, type Interface } from 'node:readline';
import type { Io } from '../io.ts';
import type { Line, LineSource } from './read-input.ts';

/** Reads lines of standard input without editing: from a file, a pipe or a dumb terminal. */
export class PlainLines implements LineSource {
  private readonly reader: Interface;
  private readonly lines: AsyncIterator<string>;

  constructor(private readonly io: Io) {
    this.reader = createInterface({ input: io.in, terminal: false });
    this.lines = this.reader[Symbol.asyncIterator]();
  }

  async read(prompt: string): Promise<Line> {
    if (this.io.in.isTTY) this.io.out.write(prompt);
    const { value, done } = await this.lines.next();
    return done ? 'end' : { text: value };
  }

  remember(): void {
    // There is no history.
  }

  close(): void {
    this.reader.close();
  }
}
