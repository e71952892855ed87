import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { findRealFile } from '../events/real-events.ts';
import { generateSyntheticEvents } from '../events/synthetic-events.ts';

const BATCH = 10_000;

function* syntheticLines(events: number): Generator<string> {
  let lines: string[] = [];
  for (const properties of generateSyntheticEvents(events)) {
    lines.push(JSON.stringify({ event: 'view', properties }));
    if (lines.length === BATCH) {
      yield `${lines.join('\n')}\n`;
      lines = [];
    }
  }
  yield lines.map((line) => `${line}\n`).join('');
}

/** Writes synthetic events as NDJSON. */
export async function writeSyntheticEvents(path: string, events: number): Promise<void> {
  await pipeline(Readable.from(syntheticLines(events)), createWriteStream(path));
}

/** Unpacks a real data set; returns false if it is missing. */
export async function unpackRealEvents(dataset: string, path: string): Promise<boolean> {
  const packed = findRealFile(dataset);
  if (packed === undefined) return false;
  await pipeline(createReadStream(packed), createGunzip(), createWriteStream(path));
  return true;
}
