import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, type Readable, Transform } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { OpenAnswer } from '../../../queries/answer-stream.ts';
import { QueryError } from '../../../queries/errors.ts';
import { yieldToEventLoop } from '../../locks/yield-to-event-loop.ts';
import { reportFullDisk } from '../../storage/report-full-disk.ts';

/** Longer answers are written to files, so that slow readers take no memory. */
const MAX_CHARACTERS = 1024 * 1024;

const MAX_BYTES = 512 * 1024 * 1024;

const NO_ROOM = 'The server cannot write to its disk, which long answers take. Ask again later.';

/** An answer that a stream reads from a file. */
export class FileAnswer implements OpenAnswer {
  constructor(
    readonly bytes: number,
    readonly stream: Readable,
  ) {}

  readWhole(): Promise<string> {
    return readText(this.stream);
  }

  replaceLastByte(end: string): FileAnswer {
    // Destroying the result destroys the stream of the file.
    const stream = pipeline(this.stream, replaceLastByte(end), () => undefined);
    return new FileAnswer(this.bytes - 1 + Buffer.byteLength(end), stream);
  }
}

/** A long answer in a file. */
export class StoredAnswer {
  private readonly opening = new Set<Promise<FileHandle>>();

  private constructor(
    private readonly path: string,
    readonly bytes: number,
  ) {}

  /**
   * Joins the pieces of an answer. Returns a string, or a file in `folder` if it is long.
   *
   * @throws {QueryError} if it is too long even for a file
   * @throws {ServiceError} if the disk is full
   * @throws the reason of the signal
   */
  static async of(
    pieces: Iterable<string> | AsyncIterable<string>,
    folder: string,
    signal: AbortSignal,
  ): Promise<string | StoredAnswer> {
    const path = join(folder, randomUUID());
    let text = '';
    let file: FileHandle | undefined;
    let bytes = 0;
    try {
      for await (const piece of Symbol.asyncIterator in pieces ? pieces : yieldToEventLoop(pieces)) {
        signal.throwIfAborted();
        text += piece;
        if (text.length <= MAX_CHARACTERS) continue;
        file ??= await reportFullDisk(open(path, 'wx', 0o600), NO_ROOM);
        bytes += await append(file, text, bytes);
        text = '';
      }
      if (file === undefined) return text;
      bytes += await append(file, text, bytes);
      return new StoredAnswer(path, bytes);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file?.close();
    }
  }

  async open(): Promise<FileAnswer> {
    const opening = open(this.path, 'r');
    this.opening.add(opening);
    const file = await opening.finally(() => this.opening.delete(opening));
    return new FileAnswer(this.bytes, file.createReadStream());
  }

  /** Opens the file for its only reader, and removes it. */
  async take(): Promise<Readable> {
    const { stream } = await this.open();
    await this.remove();
    return stream;
  }

  /** Removes the file. Readers that have opened it, or are opening it, can still read all of it. */
  async remove(): Promise<void> {
    await setImmediate();
    await Promise.allSettled(this.opening);
    await rm(this.path, { force: true });
  }
}

async function append(file: FileHandle, text: string, before: number): Promise<number> {
  const bytes = Buffer.from(text);
  if (before + bytes.length > MAX_BYTES)
    throw new QueryError('parameter', `The answer has over ${MAX_BYTES / 1024 / 1024} MiB: ask for less.`);
  await reportFullDisk(file.appendFile(bytes), NO_ROOM);
  return bytes.length;
}

function replaceLastByte(end: string): Transform {
  let last: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      this.push(Buffer.concat([last, chunk.subarray(0, -1)]));
      last = chunk.subarray(-1);
      done();
    },
    flush(done) {
      done(null, end);
    },
  });
}
