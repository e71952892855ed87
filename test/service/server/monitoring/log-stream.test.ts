import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { LogStream } from '../../../../src/service/server/monitoring/log-stream.ts';

/** A stream that accepts the next line when the test calls `read`. */
class Reader extends Writable {
  readonly lines: string[] = [];
  private done: () => void = () => undefined;

  override _write(line: Buffer, _: BufferEncoding, done: () => void): void {
    this.lines.push(line.toString());
    this.done = done;
  }

  async read(): Promise<void> {
    this.done();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('LogStream drops and counts lines when nobody reads them, and resumes when somebody does', async () => {
  let dropped = 0;
  const reader = new Reader();
  const log = new LogStream(reader, () => dropped++, 30);
  for (let index = 0; index < 5; index++) log.write(`line ${index}...`);
  expect([reader.writableLength, dropped]).toEqual([27, 2]);
  for (let times = 0; times < 3; times++) await reader.read();
  log.write('again');
  expect([reader.lines, dropped]).toEqual([['line 0...', 'line 1...', 'line 2...', 'again'], 2]);
});

it('LogStream waits for a flush up to a time limit', async () => {
  const reader = new Reader();
  const log = new LogStream(reader, () => undefined);
  log.write('first');
  log.write('second');
  await log.flush(1);
  expect(reader.writableLength).toBeGreaterThan(0);
  const flushed = log.flush(60_000);
  for (let times = 0; times < 4; times++) await reader.read();
  await flushed;
  expect([reader.lines.slice(0, 2), reader.writableLength]).toEqual([['first', 'second'], 0]);
});
