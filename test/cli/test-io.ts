import { Readable, Writable } from 'node:stream';
import type { Io } from '../../src/cli/io.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';

/** A stream that keeps what is written to it. */
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

/** Standard output of a pipe that nobody reads. */
export const PIPE = new OutputStream(new Written(), {});

function unexpected(): never {
  throw new Error('a test without a process cannot do this');
}

/**
 * Everything around a command, in memory: an empty standard input, no environment and no other threads, unless a test
 * says otherwise.
 */
export function testIo(own: Partial<Io> = {}): Io {
  return {
    in: Readable.from([]),
    out: new OutputStream(new Written(), {}),
    err: new OutputStream(new Written(), {}),
    env: {},
    signals: {
      stopRequested: unexpected,
      onContinue: () => () => undefined,
      onExit: () => () => undefined,
      suspend: unexpected,
      interrupt: unexpected,
    },
    command: 'onwhere',
    spareThreads: 0,
    makeFilesPrivate: () => undefined,
    now: Date.now,
    exit: unexpected,
    ...own,
  };
}
