import { Readable, Writable } from 'node:stream';
import type { Io } from '../../src/cli/io.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';

/** A stream that collects its input in `text`. */
export class Written extends Writable {
  text = '';

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}

/** Standard output that is a pipe without a reader. */
export const PIPE = new OutputStream(new Written(), {});

function refuse(): never {
  throw new Error('A test without a process cannot do this.');
}

/**
 * Returns the I/O of a command, in memory. By default, standard input is empty, and there are no environment variables
 * and no other threads.
 */
export function testIo(overrides: Partial<Io> = {}): Io {
  return {
    in: Readable.from([]),
    out: new OutputStream(new Written(), {}),
    err: new OutputStream(new Written(), {}),
    env: {},
    signals: {
      stopRequested: refuse,
      onContinue: () => () => undefined,
      onExit: () => () => undefined,
      suspend: refuse,
      interrupt: refuse,
    },
    command: 'onwhere',
    spareThreads: 0,
    largeCsv: Number.POSITIVE_INFINITY,
    makeFilesPrivate: () => undefined,
    now: Date.now,
    exit: refuse,
    ...overrides,
  };
}
