import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEvents } from '../../../src/cli/input/read-events.ts';
import type { EventRecord } from '../../../src/data/event-record.ts';
import { readBlob } from '../../../src/web/events/read-blob.ts';
import { testIo } from '../../cli/test-io.ts';
import { runs } from '../../runs.ts';

const NO_INPUT = testIo();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-blob-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The result of reading a file: its records, the broken ones, and why reading stopped. */
interface Found {
  readonly records: object[];
  readonly broken: string[];
  readonly end: string | undefined;
}

const plain = ({ text, ...record }: EventRecord) => ({ ...record, text: text() });

/** Removes what the page and the command line offer, which differs. */
function removeRemedy(message: string): string {
  return message.replace(/ (?:If it is CSV|Give --encoding|Choose the encoding|Save it to|A browser cannot).*$/, '');
}

async function inBrowser(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Found> {
  const records: object[] = [];
  const broken: string[] = [];
  const report = (line: number, reason: string) => broken.push(`${line}: ${reason}`);
  try {
    for await (const reading of readBlob(new Blob([bytes]), name, { onBroken: report })) {
      records.push(...reading.records.map(plain));
      if (reading.end !== undefined) return { records, broken, end: `${reading.end.line}: ${reading.end.problem}` };
    }
  } catch (error) {
    return { records, broken, end: removeRemedy((error as Error).message.slice('this '.length)) };
  }
  return { records, broken, end: undefined };
}

async function onCommandLine(name: string, bytes: Uint8Array): Promise<Found> {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const records: object[] = [];
  const broken: string[] = [];
  try {
    for await (const batch of readEvents(NO_INPUT, file, {
      onBroken: ({ line, reason }) => broken.push(`${line}: ${reason}`),
    })) {
      records.push(...batch.records.map(plain));
    }
  } catch (error) {
    const end = (error as Error).message.slice(`${file}:`.length).replace(/ \(Western .*\)$/, '');
    return { records, broken, end: removeRemedy(end) };
  }
  return { records, broken, end: undefined };
}

const piece = fc.oneof(
  fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\n', '\r\n', '\\', ' ', 'a', 'ü', '1', 'true', '\ufeff'),
  fc.json(),
);
const bytes = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => new TextEncoder().encode(pieces.join(''))),
  fc.uint8Array({ maxLength: 60 }).map((raw) => Uint8Array.from(raw)),
);

describe('readBlob reads the same records as the command line', () => {
  it.each(['a.ndjson', 'a.json', 'a.csv'])('in any file called %s', async (name) => {
    const law = fc.asyncProperty(bytes, async (content) => {
      // Data that starts like gzip has its own error message.
      fc.pre(content[0] !== 0x1f || content[1] !== 0x8b);
      expect(await inBrowser(name, content)).toEqual(await onCommandLine(name, content));
    });
    await fc.assert(law, { numRuns: runs(300) });
  });

  it.each(['a.ndjson.gz', 'a.gz', 'a.csv.gz'])('in a gzipped file called %s', async (name) => {
    const content = Uint8Array.from(gzipSync('{"a":1}\n{"a":[2]}\n\nno\n{"a":"ü"}'));
    expect(await inBrowser(name, content)).toEqual(await onCommandLine(name, content));
  });
});

it('readBlob keeps the records before damaged gzip data', async () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `{"a":${Math.sin(index)}}\n`).join('');
  const packed = Uint8Array.from(gzipSync(lines)).slice(0, -2000);
  const records: EventRecord[] = [];
  const reading = async () => {
    for await (const part of readBlob(new Blob([packed]), 'a.gz', { onBroken: () => {} }))
      records.push(...part.records);
  };
  await expect(reading()).rejects.toThrow('the gzip data is damaged or cut off');
  expect(records.length).toBeGreaterThan(10_000);
});
