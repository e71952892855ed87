import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { LineReader } from '../../src/cli/input/line-reader.ts';
import { readCsv } from '../../src/cli/input/read-csv.ts';
import { readEvents } from '../../src/cli/input/read-events.ts';
import { readSplit } from '../../src/cli/input/read-split.ts';
import { splitLineBlocks } from '../../src/cli/input/split-line-blocks.ts';
import { ArraySplitter } from '../../src/data/array-splitter.ts';
import type { EventBatch, EventRecord } from '../../src/data/event-record.ts';
import { testIo } from './test-io.ts';

/** The records of a file, the problems of broken ones and, if reading failed, the error. */
export interface Reading {
  readonly records: EventRecord[];
  readonly headers: (string | undefined)[];
  readonly broken: string[];
  readonly error: unknown;
}

/** Collects all batches. `broken` is that of the result. */
export async function collect(batches: AsyncIterable<EventBatch>, broken: string[]): Promise<Reading> {
  const records: EventRecord[] = [];
  const headers: (string | undefined)[] = [];
  try {
    for await (const batch of batches) {
      records.push(...batch.records);
      headers.push(batch.header);
    }
  } catch (error) {
    return { records, headers, broken, error };
  }
  return { records, headers, broken, error: undefined };
}

/** Reads a file of any format. */
export function read(file: string): Promise<Reading> {
  const broken: string[] = [];
  return collect(
    readEvents(testIo(), file, { onBroken: ({ line, reason }) => broken.push(`${line}: ${reason}`) }),
    broken,
  );
}

/** A folder for the files of a test. */
export interface InputFolder {
  /** Returns the path of a file. */
  pathOf(name: string): string;
  /** Writes a file and reads it. */
  readFile(name: string, content: string | Buffer): Promise<Reading>;
}

/** Makes a folder for the tests of a file, and removes it after them. */
export function useInputFolder(): InputFolder {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'onwhere-input-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const pathOf = (name: string) => join(folder, name);
  return {
    pathOf,
    readFile(name, content) {
      writeFileSync(pathOf(name), content);
      return read(pathOf(name));
    },
  };
}

/** Yields bytes in pieces of the given sizes, which repeat. */
export async function* inPieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Reads CSV in pieces of the given sizes. */
export function readCsvPieces(content: string | Buffer, sizes: readonly number[], limit?: number): Promise<Reading> {
  const broken: string[] = [];
  const report = (line: number, reason: string) => broken.push(`${line}: ${reason}`);
  return collect(
    readCsv(inPieces(Buffer.from(content), sizes), 'a.csv', report, { ...(limit !== undefined && { limit }) }),
    broken,
  );
}

/** Reads the lines of a file in chunks with one reader. */
async function* readLines(chunks: AsyncIterable<Buffer>, broken: string[], limit?: number): AsyncGenerator<EventBatch> {
  const reader = new LineReader();
  for await (const block of splitLineBlocks(chunks, { ...(limit !== undefined && { limit }) })) {
    const records: EventRecord[] = [];
    reader.open(block, reader.line);
    for (let found = reader.next(); found !== undefined; found = reader.next()) {
      if ('reason' in found) broken.push(`${found.line}: ${found.reason}`);
      else records.push(found);
    }
    yield { records };
  }
}

/** Reads NDJSON in pieces. */
export function readLinePieces(chunks: AsyncIterable<Buffer>, limit?: number): Promise<Reading> {
  const broken: string[] = [];
  return collect(readLines(chunks, broken, limit), broken);
}

/** Reads a JSON array in pieces. */
export function readArrayPieces(chunks: AsyncIterable<Buffer>): Promise<Reading> {
  const broken: string[] = [];
  return collect(
    readSplit(new ArraySplitter(), chunks, 'pieces', (line, reason) => broken.push(`${line}: ${reason}`)),
    broken,
  );
}

/** Returns the text of each record. */
export const texts = ({ records }: Reading) => records.map(({ text }) => text());

/** Returns the properties of each record. */
export const properties = ({ records }: Reading) => records.map(({ properties }) => properties);

/** Returns the line number of each record. */
export const lines = ({ records }: Reading) => records.map(({ line }) => line);
