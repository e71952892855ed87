import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decompress } from '../../src/cli/input/decompress.ts';
import { codePoint } from '../code-point.ts';
import { runs } from '../runs.ts';
import {
  inPieces,
  lines,
  properties,
  type Reading,
  readArrayPieces,
  readCsvPieces,
  readLinePieces,
  texts,
} from './read-input.ts';

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
        const packed = decompress(inPieces(gzipSync(bytes), cuts), 'packed');
        expectObjects(await readLinePieces(packed), written, numbers);
      }),
      { numRuns: runs(250) },
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
      { numRuns: runs(250) },
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
      { numRuns: runs(250) },
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
      { numRuns: runs(250) },
    );
  });
});
