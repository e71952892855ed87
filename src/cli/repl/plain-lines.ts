import { createInterface } from 'node:readline';
import type { Line, LineSource } from './line-source.ts';

/** The lines of standard input as they come: from a file, a pipe, or a terminal that can only print. */
export class PlainLines implements LineSource {
  private readonly reader = createInterface({ input: process.stdin, terminal: false });
  private readonly lines = this.reader[Symbol.asyncIterator]();

  async read(prompt: string): Promise<Line> {
    if (process.stdin.isTTY) process.stdout.write(prompt);
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
