import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../src/cli/input/read-events.ts';
import type { EventRecord } from '../../src/data/event-record.ts';
import { detectStart, type FormatOptions } from '../../src/data/file-format.ts';
import { codePoint } from '../code-point.ts';
import { runs } from '../runs.ts';
import { inPieces, useInputFolder } from './read-input.ts';
import { runCli } from './run-cli.ts';
import { testIo } from './test-io.ts';

const { pathOf, readFile } = useInputFolder();

interface Found {
  readonly records: EventRecord[];
  readonly broken: string[];
  readonly notes: string[];
}

/** Reads standard input in pieces of the given sizes. */
async function readPieces(
  content: string | Buffer,
  sizes: readonly number[] = [2 ** 16],
  options: FormatOptions = {},
): Promise<Found> {
  const found: Found = { records: [], broken: [], notes: [] };
  const io = testIo({ in: inPieces(Buffer.from(content), sizes) as unknown as NodeJS.ReadableStream });
  const batches = readEvents(io, '-', {
    ...options,
    onBroken: ({ line, reason }) => found.broken.push(`${line}: ${reason}`),
    onNote: (note) => found.notes.push(note),
  });
  for await (const { records } of batches) found.records.push(...records);
  return found;
}

const values = ({ records }: Found) => records.map(({ text }) => JSON.parse(text()));
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le with a mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be with a mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

/** Ways to write objects to a file. */
const WRITERS: Readonly<Record<string, (objects: readonly object[]) => string>> = {
  NDJSON: (objects) => objects.map((object) => JSON.stringify(object)).join('\n'),
  array: (objects) => JSON.stringify(objects),
  'pretty array': (objects) => JSON.stringify(objects, null, 2),
  'pretty objects': (objects) => objects.map((object) => JSON.stringify(object, null, '\t')).join('\r\n'),
  'objects without breaks': (objects) => objects.map((object) => JSON.stringify(object)).join(''),
  wrapper: (objects) => JSON.stringify({ page: 1, 'da"ta': objects, next: [2] }),
  'pretty wrapper': (objects) => JSON.stringify({ meta: { list: [{}] }, 'da"ta': objects }, null, 2),
};

describe('the same objects', () => {
  const name = fc.string({ unit: codePoint, minLength: 1 }).filter((text) => !text.endsWith('properties'));
  // Lists of objects would make the only object of a file a wrapper.
  const value = fc.oneof(fc.string({ unit: codePoint }), fc.double(), fc.boolean(), fc.array(fc.integer()));
  const object = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)));
  const objects = fc
    .array(object, { minLength: 1, maxLength: 5 })
    .map((list): object[] => JSON.parse(JSON.stringify(list)));

  it.each(Object.keys(WRITERS))('read back from %s, in all encodings and chunks, gzipped or not', async (form) => {
    const write = WRITERS[form] as (objects: readonly object[]) => string;
    const encoder = fc.constantFrom(...Object.keys(ENCODERS));
    await fc.assert(
      fc.asyncProperty(objects, encoder, fc.boolean(), sizes, async (written, encoding, packed, cuts) => {
        const bytes = (ENCODERS[encoding] as (text: string) => Buffer)(write(written));
        const found = await readPieces(packed ? zlib.gzipSync(bytes) : bytes, cuts);
        expect(found.broken).toEqual([]);
        expect(values(found)).toEqual(written);
        expect(found.notes).toEqual(form.endsWith('wrapper') ? ['standard input: the records are in "da\\"ta"'] : []);
      }),
      { numRuns: runs(250) },
    );
  });
});

describe('JSON on several lines', () => {
  it('is one record if it is one object', async () => {
    const found = await readPieces('{\n  "a": 1,\n  "b": {"c": []}\n}\n');
    expect(values(found)).toEqual([{ a: 1, b: { c: [] } }]);
  });

  it('counts lines', async () => {
    const text = '\n{\n"a":1}\n\n{"b":\n2} {"c":3}\n';
    expect((await readPieces(text)).records.map(({ line }) => line)).toEqual([2, 5, 6]);
    const wrapped = '{\n"n": 1, "data":\n[\n\n{"a":1},\n{"b":\n2}]}';
    expect((await readPieces(wrapped, [1])).records.map(({ line }) => line)).toEqual([5, 6]);
  });

  it('keeps a single record with a list of objects if it is an event or is called NDJSON', async () => {
    const event = '{"event":"buy","properties":{"a":1},"items":[{"b":2}]}';
    expect((await readPieces(event)).records).toMatchObject([{ event: 'buy' }]);
    const { records } = await readFile('one.ndjson', '{"items":[{"b":2}]}');
    expect(records.map(({ properties }) => properties)).toEqual([{ items: [{ b: 2 }] }]);
  });

  it('keeps records with lists of objects if there are several', async () => {
    for (const break_ of ['\n', '', ' \n\n'])
      expect(values(await readPieces(`{"items":[{"a":1}]}${break_}{"items":[{"b":2}]}`))).toHaveLength(2);
  });

  it('is one record if it has several lists of objects', async () => {
    expect(values(await readPieces('{"a":[{}],\n"b":[{}]}'))).toHaveLength(1);
  });

  it.each([
    ['{"a":1}\n{"b":\n{"c":3}', ['2: not JSON']],
    ['{"b":\n{"c":3}\n{"d":4}', ['1: not JSON']],
    ['{"b":"x\n{"c":3}', ['1: not JSON']],
    ['{b:1}\n{"c":3}', ['1: not JSON']],
  ])('is not taken for NDJSON with a broken line: %j', async (text, broken) => {
    const found = await readPieces(text);
    expect(found.broken.map((reason) => reason.replace(/: not JSON.*/, ': not JSON'))).toEqual(broken);
  });

  it('ends with an error if the last object is cut off', async () => {
    await expect(readPieces('{\n"a": 1\n}\n{\n"a":')).rejects.toThrow(
      'standard input:4: the file ends within this object',
    );
  });
});

describe('CSV', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', '\n', '\r', ' ', ',', ';', '\t', '|', '😀') });
  const quote = (text: string) => (/[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const table = (rows: readonly (readonly string[])[], delimiter: string, end: string) =>
    ['event,distinct_id'.replace(',', delimiter), ...rows.map((row) => row.map(quote).join(delimiter))].join(end) + end;

  it('reads back with any delimiter, line ending and encoding, in all chunks', async () => {
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 30 });
    const delimiter = fc.constantFrom(',', ';', '\t', '|');
    const encoder = fc.constantFrom(...Object.keys(ENCODERS));
    const breaks = fc.constantFrom('\n', '\r\n', '\r');
    const law = fc.asyncProperty(
      rows,
      delimiter,
      breaks,
      encoder,
      sizes,
      fc.boolean(),
      async (written, separator, end, encoding, cuts, isTold) => {
        const bytes = (ENCODERS[encoding] as (text: string) => Buffer)(table(written, separator, end));
        const found = await readPieces(bytes, cuts, isTold ? { delimiter: separator } : {});
        expect(found.broken).toEqual([]);
        const cells = found.records.map(({ properties }) => [properties.event ?? '', properties.distinct_id ?? '']);
        expect(cells).toEqual(written);
        expect(found.notes).toHaveLength(isTold || separator === ',' ? 0 : 1);
      },
    );
    await fc.assert(law);
  });

  it.each([
    ['name;amount\nAnna;x5\nBen;2,5,1\n', 'CSV separated by ";"', { name: 'Anna', amount: 'x5' }],
    ['name\tamount\nAnna\t1\n', 'CSV separated by tabs', { name: 'Anna', amount: 1 }],
    ['date;price, net\n2025;1\n', 'CSV separated by ";"', { date: 2025, 'price, net': 1 }],
    ['id,tags\n1,a;b;c\n', undefined, { id: 1, tags: 'a;b;c' }],
    ['name\nAnna;x\n', undefined, { name: 'Anna;x' }],
  ])('guesses the delimiter of %j', async (text, note, row) => {
    const found = await readPieces(text);
    expect(found.notes).toEqual(note === undefined ? [] : [`standard input: ${note}`]);
    expect(found.records[0]?.properties).toEqual(row);
  });

  it('has the encoding that --encoding names', async () => {
    const text = Buffer.concat([Buffer.from('name,city\n'), Buffer.from([0x80, 0x2c, 0x4b, 0xf6, 0x6c, 0x6e])]);
    for (const encoding of ['latin1', 'windows-1252'] as const) {
      const { records } = await readPieces(text, [1], { encoding });
      expect(records.map(({ properties }) => properties)).toEqual([{ name: '€', city: 'Köln' }]);
    }
    const utf16 = Buffer.from('name,city\nü,Köln', 'utf16le');
    expect((await readPieces(utf16, [3], { encoding: 'utf-16le' })).records).toHaveLength(1);
    await expect(readPieces(utf16)).rejects.toThrow('is UTF-16 without a byte order mark. Give --encoding utf-16le.');
  });
});

describe('a file without records', () => {
  it.each([
    ['report.xlsx', 'PK\x03\x04\x14\0\0\0[Content_Types].xml', 'is an Excel workbook. Save it as CSV.'],
    ['logo.csv', '\x89PNG\r\n\x1a\n\0\0', 'is an image.'],
    ['a.pdf', '%PDF-1.7\n%âãÏÓ', 'is a PDF document.'],
    ['a.db', 'SQLite format 3\0', 'is a SQLite database. Export it as NDJSON or CSV.'],
    ['page', '<!doctype html>\n<p>x', 'is an HTML page.'],
    ['feed', '<?xml version="1.0"?>\n', 'is an XML document.'],
    ['a.bin', '\x01\x02\0\x03\0\0\0', 'is a binary file.'],
    ['notes.md', '# Notes\n\nThis is what I wrote on Monday about it.\n', 'looks like plain text, without columns.'],
    ['app.log', '[2025-06-01 12:00:00,123] INFO started\n', 'looks like a log.'],
    ['app.txt', '2025-06-01 12:00:00,123 INFO started\n2025-06-01 12:00:00,124 INFO x\n', 'looks like a log.'],
  ])('is refused with what it looks like: %s', async (name, content, message) => {
    await readFile(name, Buffer.from(content, 'latin1'));
    const { code, out, err } = await runCli(['count', 'true', pathOf(name)]);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err.startsWith(`error: ${pathOf(name)} ${message}`)).toBe(true);
  });

  it('is read as CSV if its name or --delimiter says so', async () => {
    const prose = 'This is what I wrote on Monday about it\n1\n';
    await readFile('prose.csv', prose);
    await readFile('prose', prose);
    expect(await runCli(['count', 'true', pathOf('prose.csv')])).toMatchObject({ code: 0, out: '1\n' });
    expect(await runCli(['count', '--delimiter', 'tab', 'true', pathOf('prose')])).toMatchObject({ out: '1\n' });
  });

  it('never breaks the detection', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((raw) => Buffer.from(raw).toString('latin1'));
    const start = fc.constantFrom('', '{', '[', '{"a":', '"', 'a,b\n', '[20');
    fc.assert(
      fc.property(start, bytes, fc.constantFrom('a', 'a.csv', 'a.ndjson'), (head, text, name) => {
        expect(detectStart(name, head + text, true)).toBeDefined();
      }),
    );
  });
});

it('zstd is read where Node.js has it, and refused with what is needed elsewhere', async () => {
  const packed = Buffer.from('KLUv/QBYQQAAeyJhIjoxfQo=', 'base64');
  await readFile('a.ndjson.zst', packed);
  const { code, out, err } = await runCli(['count', 'true', pathOf('a.ndjson.zst')]);
  if ('createZstdDecompress' in zlib) expect({ code, out }).toEqual({ code: 0, out: '1\n' });
  else {
    expect(code).toBe(3);
    expect(err).toContain('is compressed with zstd, which needs Node.js 22.15 or later.');
  }
});

it('commands say what they guessed on standard error', async () => {
  await readFile('semicolons.csv', 'a;b\n1;2\n');
  const file = pathOf('semicolons.csv');
  const said = `note: ${file}: CSV separated by ";"\n`;
  expect(await runCli(['count', 'true', file])).toEqual({ code: 0, out: '1\n', err: said });
  expect(await runCli(['count', 'true', file], { largeCsv: 0 })).toEqual({ code: 0, out: '1\n', err: said });
  expect(await runCli(['count', '--delimiter', 'x', 'true', file])).toMatchObject({ code: 2 });
});
