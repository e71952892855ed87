import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { skipBom } from '../../src/cli/input/chunks.ts';
import { decompress } from '../../src/cli/input/decompress.ts';
import { InputError } from '../../src/cli/input/input-error.ts';
import { readCsv } from '../../src/cli/input/read-csv.ts';
import { readEvents } from '../../src/cli/input/read-events.ts';
import type { BrokenRecord } from '../../src/cli/input/read-file.ts';
import { collect, properties, read, texts, useInputFolder } from './read-input.ts';
import { testIo } from './test-io.ts';

const { pathOf, readFile } = useInputFolder();

const NO_INPUT = testIo();

describe('readEvents', () => {
  const manyLines = Array.from({ length: 50_000 }, (_, index) => JSON.stringify({ a: index, b: Math.sin(index) }));

  it('reports the file and line of a broken record', async () => {
    const file = pathOf('named.ndjson');
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
    const file = pathOf('bytes.gz');
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
    mkdirSync(pathOf('folder'), { recursive: true });
    writeFileSync(pathOf('plain-file'), '');
    const { error } = await read(pathOf(name));
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toEqual(message(pathOf(name)));
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
      `${pathOf('cut.ndjson.gz')}: the gzip data is damaged or cut off after ${count.toLocaleString('en-US')} records`,
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
    const file = pathOf('strict.ndjson');
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
    for await (const { records } of readCsv(skipBom(decompress(source(), 'packed')), '', () => {})) {
      if (records.length > 0) break;
    }
    expect(closed).toBe(true);
  });
});
