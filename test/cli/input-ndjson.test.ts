import { describe, expect, it } from 'vitest';
import { collectGarbage } from '../collect-garbage.ts';
import { inPieces, lines, properties, readLinePieces, texts, useInputFolder } from './read-input.ts';

const { readFile } = useInputFolder();

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
