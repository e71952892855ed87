import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipBom } from '../../src/cli/input/chunks.ts';
import { detectFormat } from '../../src/cli/input/detect-format.ts';
import { gunzipChunks } from '../../src/cli/input/gunzip-chunks.ts';
import { InputError } from '../../src/cli/input/input-error.ts';
import { LineReader } from '../../src/cli/input/line-reader.ts';
import { readArray } from '../../src/cli/input/read-array.ts';
import { readCsv } from '../../src/cli/input/read-csv.ts';
import { readEvents } from '../../src/cli/input/read-events.ts';
import type { BrokenRecord } from '../../src/cli/input/read-file.ts';
import { splitLineBlocks } from '../../src/cli/input/split-line-blocks.ts';
import { ArraySplitter } from '../../src/data/array-splitter.ts';
import { type EventBatch, type EventRecord, toEventRecord } from '../../src/data/event-record.ts';
import type { RawRecord } from '../../src/data/parse-records.ts';
import { codePoint } from '../code-point.ts';
import { testIo } from './test-io.ts';

const NO_INPUT = testIo();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-input-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Reading {
  readonly records: EventRecord[];
  readonly headers: (string | undefined)[];
  readonly broken: string[];
  readonly error: unknown;
}

async function collect(batches: AsyncIterable<EventBatch>, broken: string[]): Promise<Reading> {
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

function read(file: string): Promise<Reading> {
  const broken: string[] = [];
  return collect(
    readEvents(NO_INPUT, file, { onBroken: ({ line, reason }) => broken.push(`${line}: ${reason}`) }),
    broken,
  );
}

function readFile(name: string, content: string | Buffer): Promise<Reading> {
  const file = join(folder, name);
  writeFileSync(file, content);
  return read(file);
}

async function* inPieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

function readCsvPieces(content: string | Buffer, sizes: readonly number[], limit?: number): Promise<Reading> {
  const broken: string[] = [];
  const report = (line: number, reason: string) => broken.push(`${line}: ${reason}`);
  return collect(readCsv(inPieces(Buffer.from(content), sizes), 'a.csv', report, limit), broken);
}

function split(splitter: ArraySplitter, content: string | Buffer, size: number): RawRecord[] {
  const bytes = Buffer.from(content);
  const found: RawRecord[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...splitter.feed(bytes.subarray(at, at + size)));
  return [...found, ...splitter.end()];
}

/** Reads the lines of a file in chunks with one reader. */
async function* readLines(chunks: AsyncIterable<Buffer>, broken: string[], limit?: number): AsyncGenerator<EventBatch> {
  const reader = new LineReader();
  for await (const block of splitLineBlocks(chunks, limit)) {
    const records: EventRecord[] = [];
    reader.open(block, reader.line);
    for (let found = reader.next(); found !== undefined; found = reader.next()) {
      if ('reason' in found) broken.push(`${found.line}: ${found.reason}`);
      else records.push(found);
    }
    yield { records };
  }
}

function readLinePieces(chunks: AsyncIterable<Buffer>, limit?: number): Promise<Reading> {
  const broken: string[] = [];
  return collect(readLines(chunks, broken, limit), broken);
}

function readArrayPieces(chunks: AsyncIterable<Buffer>): Promise<Reading> {
  const broken: string[] = [];
  return collect(
    readArray(chunks, 'pieces', (line, reason) => broken.push(`${line}: ${reason}`)),
    broken,
  );
}

const texts = ({ records }: Reading) => records.map(({ text }) => text());
const properties = ({ records }: Reading) => records.map(({ properties }) => properties);
const lines = ({ records }: Reading) => records.map(({ line }) => line);

describe('toEventRecord', () => {
  const text = () => '';

  it('reads an event', () => {
    const inner = { distinct_id: 'u1', time: 1291191960, plan: 'pro' };
    expect(toEventRecord({ event: 'purchase', properties: inner }, text, 7)).toEqual({
      text,
      properties: inner,
      user: undefined,
      event: 'purchase',
      distinctId: 'u1',
      time: 1291191960,
      line: 7,
    });
  });

  it('reads a person and uses its properties also as those of the user', () => {
    const profile = { plan: 'pro', time: 1 };
    const record = toEventRecord({ $distinct_id: 'u1', $properties: profile }, text, 1);
    expect(record).toMatchObject({ distinctId: 'u1', event: undefined, time: undefined });
    expect(record?.properties).toBe(profile);
    expect(record?.user).toBe(profile);
  });

  it('reads any other object as a flat record', () => {
    const flat = { event: 'visit', distinct_id: 12, time: 1, properties: ['a'], $properties: null };
    const record = toEventRecord(flat, text, 1);
    expect(record).toMatchObject({ event: 'visit', distinctId: '12', time: 1, user: undefined });
    expect(record?.properties).toBe(flat);
    expect(toEventRecord({ $distinct_id: 'u1' }, text, 1)?.distinctId).toBe('u1');
  });

  it('converts a numeric id to a decimal string and ignores other types', () => {
    const idOf = (distinct_id: unknown) => toEventRecord({ distinct_id }, text, 1)?.distinctId;
    expect([1e21, 0.5, '', true, null, ['a'], {}].map(idOf)).toEqual([
      '1000000000000000000000',
      '0.5',
      '',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads large times as milliseconds', () => {
    const timeOf = (time: unknown) => toEventRecord({ time }, text, 1)?.time;
    expect([4294967295, 4294967296, 1291191960999, Number.POSITIVE_INFINITY, '1291191960'].map(timeOf)).toEqual([
      4294967295,
      4294967,
      1291191960,
      undefined,
      undefined,
    ]);
  });

  it('ignores times that `datetime` does not accept, and times after 2105', () => {
    const timeOf = (time: unknown) => toEventRecord({ time }, text, 1)?.time;
    expect([-1, 0, 0.5, 1, 4294967295999, 4294967296000, Number.NaN].map(timeOf)).toEqual([
      undefined,
      undefined,
      undefined,
      1,
      4294967295,
      undefined,
      undefined,
    ]);
  });

  it('reads only own properties', () => {
    const inherited = Object.create({ event: 'a', distinct_id: 'b', time: 1, properties: {}, $properties: {} });
    expect(toEventRecord(inherited, text, 1)).toMatchObject({
      event: undefined,
      distinctId: undefined,
      time: undefined,
    });
    const hidden = toEventRecord(JSON.parse('{"__proto__": {"event": "a", "properties": {}}}'), text, 1);
    expect(hidden?.event).toBeUndefined();
    expect(Object.keys(hidden?.properties ?? {})).toEqual(['__proto__']);
  });

  it.each([[null], [1], ['text'], [true], [[]], [[{}]]])('does not accept %j as a record', (json) => {
    expect(toEventRecord(json, text, 1)).toBeUndefined();
  });
});

describe('NDJSON', () => {
  it('keeps each line unchanged', async () => {
    const reading = await readFile('a.ndjson', '{"a": 1.0,  "b":12345678901234567890}\r\n{"a":"é😀"}\n{"a":2}');
    expect(texts(reading)).toEqual(['{"a": 1.0,  "b":12345678901234567890}', '{"a":"é😀"}', '{"a":2}']);
    expect(lines(reading)).toEqual([1, 2, 3]);
    expect(reading.headers.every((header) => header === undefined)).toBe(true);
  });

  it('skips blank lines and counts them', async () => {
    const reading = await readFile('blank.jsonl', '\n  \r\n{"a":1}\n\n{"a":2}\n\n');
    expect(lines(reading)).toEqual([3, 5]);
    expect(reading.broken).toEqual([]);
  });

  it('reports broken lines and continues', async () => {
    const content = Buffer.concat([
      Buffer.from('{"a":1}\n{"a":\n[1]\n7\n{"a":"'),
      Buffer.from([0xff]),
      Buffer.from('"}\n{"a":2}\n{'),
    ]);
    const reading = await readFile('broken.ndjson', content);
    expect(properties(reading)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(reading.broken).toEqual([
      '2: not JSON: Unexpected end of JSON input',
      '3: not an object',
      '4: not an object',
      '5: not UTF-8 text',
      expect.stringMatching(/^7: not JSON: /),
    ]);
  });

  it('describes invalid JSON briefly and without control characters', async () => {
    const reading = await readFile('long.ndjson', `{"a":"${'x'.repeat(5000)}", \u001b[31m}`);
    expect(reading.broken).toHaveLength(1);
    expect(reading.broken[0]?.length).toBeLessThan(150);
    expect(reading.broken[0]).not.toMatch(/\p{Cc}/u);
  });

  it.each([1, 7, 64])('skips a line over the limit, in chunks of %i bytes', async (size) => {
    const content = `{"a":1}\n${'x'.repeat(101)}\n{"a":2}\r\n{"é":${'"é"'.padStart(44)}}\n${'x'.repeat(101)}`;
    const reading = await readLinePieces(inPieces(Buffer.from(content), [size]), 100);
    expect(lines(reading)).toEqual([1, 3, 4]);
    expect(reading.broken).toEqual([
      expect.stringMatching(/^2: longer than .* MiB$/),
      expect.stringMatching(/^5: longer than/),
    ]);
  });

  it('does not keep skipped bytes in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    let held = 0;
    async function* chunks() {
      for (let count = 0; count < 64; count++) yield Buffer.alloc(2 ** 20, 'x');
      collectGarbage();
      held = process.memoryUsage().arrayBuffers - before;
      yield Buffer.from('\n{}\n');
    }
    const reading = await readLinePieces(chunks(), 2 ** 20);
    expect(held).toBeLessThan(2 ** 22);
    expect(reading.broken).toEqual(['1: longer than 1 MiB']);
    expect(lines(reading)).toEqual([2]);
  });
});

describe('a JSON array', () => {
  it('returns each element as one line with unchanged numbers', async () => {
    const content = '\n [\n  {\n    "a": 1.0,\r\n\r\n\t"b": [12345678901234567890]\n  } , {"a": "]}\\",\\\\"},{}\n]\n';
    const reading = await readFile('a.json', content);
    expect(texts(reading)).toEqual(['{ "a": 1.0, "b": [12345678901234567890] }', '{"a": "]}\\",\\\\"}', '{}']);
    expect(lines(reading)).toEqual([3, 7, 7]);
    expect(reading.broken).toEqual([]);
  });

  it('can be empty', async () => {
    expect(await readFile('empty.json', ' [ \n ] \n')).toMatchObject({ records: [], broken: [], error: undefined });
  });

  it('reports broken elements and continues', async () => {
    const content = '[\n{"a":1},\n{"a" 1},\n{"a":2} {"a":3},\n7,\n{"a":4}},\n{"a":5}\n]';
    const reading = await readFile('broken.json', content);
    expect(properties(reading)).toEqual([{ a: 1 }, { a: 5 }]);
    expect(reading.broken).toEqual([
      expect.stringMatching(/^3: not JSON: /),
      expect.stringMatching(/^4: not JSON: /),
      '5: not an object',
      expect.stringMatching(/^6: not JSON: /),
    ]);
  });

  it('recovers from an unclosed string', async () => {
    const reading = await readFile('open-string.json', '[\n{\n"a": "x,\n"b": 1\n},\n{"a":2}\n]');
    expect(properties(reading)).toEqual([{ a: 2 }]);
    expect(reading.broken).toEqual([expect.stringMatching(/^2: not JSON: /)]);
  });

  it.each([
    ['[{"a":1},]', ['1: missing element']],
    ['[{"a":1}\n,,{"a":2}]', ['2: missing element']],
  ])('reports the problems of %j', async (content, broken) => {
    expect((await readFile('structure.json', content)).broken).toEqual(broken);
  });

  it.each([
    ['[{"a":0},{"a":1}', '1: the file ends within this element'],
    ['[{"a":0},\n{"a":', '2: the file ends within this element'],
    ['[{"a":0},\n\n', '3: the array is not closed'],
    ['[{"a":0}]\n[{"a":2}]', '2: text after the end of the array'],
  ])('fails at the end of %j, after the records before it', async (content, problem) => {
    const reading = await readFile('structure.json', content);
    expect(properties(reading)).toEqual([{ a: 0 }]);
    expect(reading.error).toMatchObject({ name: 'InputError', message: expect.stringMatching(`:${problem}$`) });
  });

  it.each([1, 7, 64])('skips an element over the limit, in chunks of %i bytes', (size) => {
    const content = `[{"a":1},\n{"a":"${'x'.repeat(100)}"},\n{"a":2}]`;
    expect(split(new ArraySplitter(100), content, size)).toEqual([
      { line: 1, text: '{"a":1}' },
      { line: 2, problem: expect.stringMatching(/^longer than .* MiB$/) },
      { line: 3, text: '{"a":2}' },
    ]);
  });

  it('reports an element that is not UTF-8', () => {
    const content = Buffer.concat([Buffer.from('[{"a":"'), Buffer.from([0xc3]), Buffer.from('"},{}]')]);
    expect(split(new ArraySplitter(), content, 4)).toEqual([
      { line: 1, problem: 'not UTF-8 text' },
      { line: 1, text: '{}' },
    ]);
  });
});

describe('CSV', () => {
  it('reads typed cells under a header', async () => {
    const reading = await readFile(
      'a.csv',
      'event,distinct_id,time,n,s,t\r\nvisit,007,1291191960,-1.5e3,"a,""b""",true\r\nbuy,12,,01,,TRUE\r\n',
    );
    expect(properties(reading)).toEqual([
      { event: 'visit', distinct_id: '007', time: 1291191960, n: -1500, s: 'a,"b"', t: true },
      { event: 'buy', distinct_id: '12', n: '01', t: 'TRUE' },
    ]);
    expect(reading.records[1]).toMatchObject({ event: 'buy', distinctId: '12', time: undefined, user: undefined });
    expect(texts(reading)).toEqual(['visit,007,1291191960,-1.5e3,"a,""b""",true', 'buy,12,,01,,TRUE']);
    expect(reading.headers[0]).toBe('event,distinct_id,time,n,s,t');
  });

  it('keeps names as strings', async () => {
    const reading = await readFile('names.csv', 'event,distinct_id,$distinct_id,$insert_id,id\n1,2,3,true,5\n');
    expect(properties(reading)).toEqual([
      { event: '1', distinct_id: '2', $distinct_id: '3', $insert_id: 'true', id: 5 },
    ]);
  });

  it.each([1, 2, 3, 1000])('keeps line breaks in cells and counts them, in chunks of %i bytes', async (size) => {
    const content = '"a","b\nc"\r\n1,"x\r\ny"\r\n\r\n2,"z"\n3,"""\n"""\r4,é😀';
    const reading = await readCsvPieces(content, [size]);
    expect(texts(reading)).toEqual(['1,"x\r\ny"', '2,"z"', '3,"""\n"""', '4,é😀']);
    expect(lines(reading)).toEqual([3, 6, 7, 9]);
    expect(properties(reading).map((row) => row['b\nc'])).toEqual(['x\r\ny', 'z', '"\n"', 'é😀']);
    expect(reading.headers.at(-1)).toBe('"a","b\nc"');
    expect(reading.broken).toEqual([]);
  });

  it('returns the header even without rows', async () => {
    expect(await readFile('header.csv', 'a,b\n')).toMatchObject({
      records: [],
      headers: expect.arrayContaining(['a,b']),
    });
    expect(await readFile('nothing.csv', '\n')).toMatchObject({
      records: [],
      headers: [],
      broken: [],
      error: undefined,
    });
  });

  it('accepts any property name', async () => {
    const reading = await readFile('names.csv', '__proto__,constructor,\n1,2,3\n');
    const [row = {}] = properties(reading);
    expect(Object.entries(row)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['', 3],
    ]);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });

  it.each([1, 5, 1000])('reports broken rows and continues, in chunks of %i bytes', async (size) => {
    const content = Buffer.concat([
      Buffer.from('a,b\n1\n1,2,3\n4,5" x\n"6"x,7\n"a\n"x,"8"\n'),
      Buffer.from([0x39, 0x2c, 0xe9, 0x0a]),
      Buffer.from('10,11\n12,"13\n'),
    ]);
    const reading = await readCsvPieces(content, [size]);
    expect(properties(reading)).toEqual([{ a: 10, b: 11 }]);
    expect(lines(reading)).toEqual([9]);
    expect(reading.broken).toEqual([
      '2: 1 cell instead of 2',
      '3: 3 cells instead of 2',
      expect.stringMatching(/^4: a stray quote/),
      expect.stringMatching(/^5: a stray quote/),
      expect.stringMatching(/^6: a stray quote/),
      '8: not UTF-8 text',
    ]);
    expect(String(reading.error)).toMatch(/:10: an unclosed quote$/);
  });

  it.each(['\n', '\r\n', '\r'])('skips blank lines that end with %j, and counts them', async (end) => {
    const content = ['', 'a,b', '', '', '1,2', '', '3', '"4', '', '",5', ''].join(end);
    for (const size of [1, 3, 100]) {
      const reading = await readCsvPieces(content, [size]);
      expect(lines(reading)).toEqual([5, 8]);
      expect(reading.broken).toEqual(['7: 1 cell instead of 2']);
      expect(texts(reading)).toEqual(['1,2', `"4${end}${end}",5`]);
    }
  });

  it('stops at a row over the limit', async () => {
    const reading = await readCsvPieces(`a,b\n1,2\n3,"${'4,5\n'.repeat(50)}`, [60], 100);
    expect(properties(reading)).toEqual([{ a: 1, b: 2 }]);
    expect(reading.broken).toEqual([]);
    expect(String(reading.error)).toMatch(/:3: longer than .* MiB, perhaps because of an unclosed quote$/);
  });

  it.each(['a', '', '__proto__', 'é,"'])('refuses a header that repeats %j', async (name) => {
    const cell = `"${name.replaceAll('"', '""')}"`;
    const { error, records } = await readFile('twice.csv', `\n${cell},b,${cell}\n1,2,3\n`);
    expect(records).toEqual([]);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(
      `${join(folder, 'twice.csv')}:2: the header row has several columns called ${JSON.stringify(name)}. Rename them so that each name is unique`,
    );
  });

  it('distinguishes names that differ only in case', async () => {
    expect(properties(await readFile('case.csv', 'plan,Plan\n1,2\n'))).toEqual([{ plan: 1, Plan: 2 }]);
  });

  it('refuses a file with a broken header', async () => {
    const { error } = await readFile('binary.bin', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0a, 0x1a]));
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(
      `${join(folder, 'binary.bin')}:1: the header row is broken: not UTF-8 text`,
    );
  });
});

describe('the format of a file', () => {
  const bom = '\ufeff';
  it.each([
    ['by-content', '\n {"a":1}', [{ a: 1 }]],
    ['by-content', '\n [{"a":1}]', [{ a: 1 }]],
    ['by-content', '\na\n1', [{ a: 1 }]],
    ['by-content.json', '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['by-name.CSV', '{a\n1', [{ '{a': 1 }]],
    ['marked', `${bom}[{"a":1}]`, [{ a: 1 }]],
    ['marked', `${bom}{"a":1}`, [{ a: 1 }]],
    ['marked.ndjson', `${bom}{"a":1}`, [{ a: 1 }]],
    ['marked.csv', `${bom}a\n1`, [{ a: 1 }]],
    ['empty', '', []],
    ['blank', ' \n\n', []],
    ['short', '1', []],
  ])('is detected for %s with %j, also gzipped', async (name, content, expected) => {
    const plain = await readFile(name, content);
    const packed = await readFile(`${name}.gz`, gzipSync(content));
    for (const reading of [plain, packed]) {
      expect(properties(reading)).toEqual(expected);
      expect(reading).toMatchObject({ broken: [], error: undefined });
    }
  });

  it('is detected in chunks of any size', async () => {
    const { format, all } = await detectFormat('-', skipBom(inPieces(Buffer.from(`${bom} \n[{}]`), [1])));
    expect(format).toBe('array');
    const pieces: Buffer[] = [];
    for await (const piece of all) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe(' \n[{}]');
  });

  it('is gzip if the first bytes say so, with any name', async () => {
    expect(properties(await readFile('plain.ndjson.gz', '{"a":1}'))).toEqual([{ a: 1 }]);
    expect(properties(await readFile('packed.ndjson', gzipSync('{"a":1}')))).toEqual([{ a: 1 }]);
  });

  it('can be gzip with several members', async () => {
    const members = Buffer.concat([gzipSync('{"a":1}\n{"a"'), gzipSync(':2}\n'), gzipSync('{"a":3}')]);
    expect(properties(await readFile('members.gz', members))).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  });
});

describe('readEvents', () => {
  const manyLines = Array.from({ length: 50_000 }, (_, index) => JSON.stringify({ a: index, b: Math.sin(index) }));

  it('reports the file and line of a broken record', async () => {
    const file = join(folder, 'named.ndjson');
    writeFileSync(file, '{}\n[]\n');
    const broken: BrokenRecord[] = [];
    for await (const _ of readEvents(NO_INPUT, file, { onBroken: (record) => broken.push(record) }));
    expect(broken).toEqual([{ file, line: 2, reason: 'not an object' }]);
  });

  it('reads standard input for -', async () => {
    const stdin = Readable.from([Buffer.from('{"a"'), Buffer.from(':1}\n[]')]);
    const broken: BrokenRecord[] = [];
    const reading = await collect(readEvents({ in: stdin }, '-', { onBroken: (record) => broken.push(record) }), []);
    expect(properties(reading)).toEqual([{ a: 1 }]);
    expect(broken).toEqual([{ file: 'standard input', line: 2, reason: 'not an object' }]);
  });

  it('reports the number of bytes read from disk', async () => {
    const file = join(folder, 'bytes.gz');
    const packed = gzipSync(manyLines.join('\n'));
    writeFileSync(file, packed);
    const counts: number[] = [];
    for await (const _ of readEvents(NO_INPUT, file, { onBroken: () => {}, onBytes: (count) => counts.push(count) }));
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.reduce((sum, count) => sum + count)).toBe(packed.length);
  });

  it.each([
    ['missing.ndjson', (file: string) => `No such file: ${file}`],
    ['folder', (file: string) => `${file} is a directory`],
    [join('plain-file', 'inside'), (file: string) => expect.stringContaining(`Cannot read ${file}: ENOTDIR`)],
  ])('explains why it cannot read %s', async (name, message) => {
    mkdirSync(join(folder, 'folder'), { recursive: true });
    writeFileSync(join(folder, 'plain-file'), '');
    const { error } = await read(join(folder, name));
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toEqual(message(join(folder, name)));
  });

  it('returns the records before the end of truncated gzip data', async () => {
    const packed = gzipSync(manyLines.join('\n'));
    const reading = await readFile('cut.ndjson.gz', packed.subarray(0, packed.length - 100_000));
    const count = reading.records.length;
    expect(count).toBeGreaterThan(30_000);
    expect(texts(reading)).toEqual(manyLines.slice(0, count));
    expect(reading.broken).toEqual([]);
    expect(reading.error).toBeInstanceOf(InputError);
    expect((reading.error as InputError).message).toBe(
      `${join(folder, 'cut.ndjson.gz')}: the gzip data is damaged or cut off after ${count.toLocaleString('en-US')} records`,
    );
  });

  it('returns every complete record of a short truncated file', async () => {
    const reading = await readFile('short.gz', gzipSync('{"a":1}\n{"a":2}').subarray(0, -1));
    expect(properties(reading)).toEqual([{ a: 1 }]);
    expect((reading.error as InputError).message).toMatch(/cut off after 1 record$/);
  });

  it('returns the records before damaged gzip data', async () => {
    const packed = gzipSync(manyLines.join('\n'));
    packed.fill(0xff, packed.length - 100_000, packed.length - 99_000);
    const reading = await readFile('damaged.ndjson.gz', packed);
    expect(reading.records.length).toBeGreaterThan(20_000);
    expect(texts(reading).slice(0, 20_000)).toEqual(manyLines.slice(0, 20_000));
    expect(reading.error).toBeInstanceOf(InputError);
  });

  it('returns most records before the damage in a small file', async () => {
    const packed = gzipSync(manyLines.slice(0, 500).join('\n'));
    packed.fill(0xff, packed.length - 8);
    const reading = await readFile('small.ndjson.gz', packed);
    expect(reading.records.length).toBeGreaterThan(150);
    expect(texts(reading)).toEqual(manyLines.slice(0, reading.records.length));
    expect(reading.error).toBeInstanceOf(InputError);
  });

  it('does not change errors of its consumer', async () => {
    const file = join(folder, 'strict.ndjson');
    writeFileSync(file, '[]');
    const strict = Object.assign(new Error('strict'), { code: 'STRICT' });
    const onBroken = () => {
      throw strict;
    };
    expect((await collect(readEvents(NO_INPUT, file, { onBroken }), [])).error).toBe(strict);
  });

  it('closes the file when the consumer stops', async () => {
    const stdin = Readable.from(manyLines.map((line) => Buffer.from(`${line}\n`)));
    for await (const _ of readEvents({ in: stdin }, '-', { onBroken: () => {} })) break;
    expect(stdin.destroyed).toBe(true);
  });

  it.each(['a\n1\n', gzipSync('a\n1\n')])('closes its source when the consumer stops', async (content) => {
    let closed = false;
    async function* source() {
      try {
        yield Buffer.from(content);
        for (;;) yield gzipSync('2\n');
      } finally {
        closed = true;
      }
    }
    for await (const { records } of readCsv(skipBom(gunzipChunks(source())), '', () => {})) {
      if (records.length > 0) break;
    }
    expect(closed).toBe(true);
  });
});

describe('random objects', () => {
  const objects = fc.array(
    fc.dictionary(fc.string({ unit: codePoint }), fc.jsonValue()).map((object) => JSON.parse(JSON.stringify(object))),
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  const lineBreak = fc.constantFrom('\n', '\r\n');

  function expectObjects(reading: Reading, written: readonly unknown[], expectedLines: readonly number[]): void {
    expect(reading).toMatchObject({ broken: [], error: undefined });
    expect(texts(reading).map((text) => JSON.parse(text))).toEqual(written);
    expect(lines(reading)).toEqual(expectedLines);
  }

  it('read back from NDJSON, plain and gzipped', async () => {
    await fc.assert(
      fc.asyncProperty(objects, sizes, lineBreak, fc.boolean(), async (written, cuts, end, ended) => {
        const bytes = Buffer.from(written.map((object) => JSON.stringify(object)).join(end) + (ended ? end : ''));
        const numbers = written.map((_, index) => index + 1);
        expectObjects(await readLinePieces(inPieces(bytes, cuts)), written, numbers);
        const packed = gunzipChunks(inPieces(gzipSync(bytes), cuts));
        expectObjects(await readLinePieces(packed), written, numbers);
      }),
    );
  });

  it('read back from a compact array', async () => {
    await fc.assert(
      fc.asyncProperty(objects, sizes, async (written, cuts) => {
        const reading = await readArrayPieces(inPieces(Buffer.from(JSON.stringify(written)), cuts));
        expectObjects(
          reading,
          written,
          written.map(() => 1),
        );
        expect(texts(reading)).toEqual(written.map((object) => JSON.stringify(object)));
      }),
    );
  });

  it('read back from a pretty-printed array', async () => {
    await fc.assert(
      fc.asyncProperty(objects, sizes, lineBreak, async (written, cuts, end) => {
        const bytes = Buffer.from(JSON.stringify(written, null, 2).replaceAll('\n', end));
        const reading = await readArrayPieces(inPieces(bytes, cuts));
        let next = 2;
        const numbers = written.map((object) => {
          const line = next;
          next += JSON.stringify(object, null, 2).split('\n').length;
          return line;
        });
        expectObjects(reading, written, numbers);
        expect(texts(reading).join('')).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it('read back from CSV, cell by cell', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ',', '"', '\n', '\r', ' ', '1') });
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1 });
    const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    await fc.assert(
      fc.asyncProperty(rows, sizes, lineBreak, async (written, cuts, end) => {
        const content = ['event,distinct_id', ...written.map((row) => row.map(quote).join(','))].join(end) + end;
        const reading = await readCsvPieces(content, cuts);
        expect(reading.broken).toEqual([]);
        expect(properties(reading).map((row) => [row.event ?? '', row.distinct_id ?? ''])).toEqual(written);
        let next = 2;
        for (const [index, record] of reading.records.entries()) {
          expect(record.line).toBe(next);
          next += (written[index] ?? []).join(',').split(/\r\n|\r|\n/).length;
        }
      }),
    );
  });
});
