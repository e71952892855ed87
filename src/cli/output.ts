import { once } from 'node:events';

/** How much is gathered before it is written: few writes, little memory. */
const CHUNK = 64 * 1024;

/** Lines to standard output, at the pace of whoever reads them. */
export class Output {
  private gathered = '';

  constructor(private readonly stream: NodeJS.WriteStream = process.stdout) {}

  line(text: string): void {
    this.gathered += `${text}\n`;
  }

  /** To be awaited now and then: writes what was gathered, once it is worth it or all of it is wanted. */
  async flush(all = false): Promise<void> {
    if (this.gathered === '' || (!all && this.gathered.length < CHUNK)) return;
    const text = this.gathered;
    this.gathered = '';
    if (!this.stream.write(text)) await once(this.stream, 'drain');
  }
}
