import { createInterface, type Interface } from 'node:readline';
import type { Io } from '../io.ts';
import type { Line, LineSource } from './read-input.ts';

/** The lines of standard input as they come: from a file, a pipe, or a terminal that can only print. */
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
    // Nothing here can go back.
  }

  close(): void {
    this.reader.close();
  }
}
