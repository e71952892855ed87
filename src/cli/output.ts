import { once } from 'node:events';

/** How much is gathered before it is written: few writes, little memory. */
const CHUNK = 64 * 1024;

/** Lines to standard output, at the pace of whoever reads them. */
export class Output {
  private gathered = '';

  /** Takes whole lines. */
  add(text: string): void {
    this.gathered += text;
  }

  /** Writes what was gathered. */
  async flush(): Promise<void> {
    const text = this.gathered;
    this.gathered = '';
    if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
  }

  /** Writes the lines. */
  static async print(lines: Iterable<string>): Promise<void> {
    const output = new Output();
    for (const line of lines) {
      output.add(`${line}\n`);
      if (output.gathered.length > CHUNK) await output.flush();
    }
    await output.flush();
  }
}
