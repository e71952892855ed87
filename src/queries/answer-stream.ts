/** The bytes of an answer, which are read once. A stream of Node.js is one. */
export interface ByteStream extends AsyncIterable<string | Uint8Array> {
  /** Ends it before all is read. */
  destroy(): unknown;
}

/** A long answer for one reader. A reader that stops early must destroy the stream. */
export interface AnswerStream {
  /** The room that it takes on the disk, at most. */
  readonly bytes: number;
  readonly stream: ByteStream;
  /** Reads all of it into memory. */
  readWhole(): Promise<string>;
}

/** A long answer read from a file. */
export interface OpenAnswer extends AnswerStream {
  /** Returns the answer with a text instead of its last byte. Its stream replaces this one. */
  replaceLastByte(end: string): OpenAnswer;
}

/** Reads a whole answer into memory, whatever its length. */
export async function readAnswer(answer: string | AnswerStream): Promise<string> {
  return typeof answer === 'string' ? answer : await answer.readWhole();
}
