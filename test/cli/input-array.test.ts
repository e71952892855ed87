import { describe, expect, it } from 'vitest';
import { ArraySplitter } from '../../src/data/array-splitter.ts';
import type { RawRecord } from '../../src/data/parse-records.ts';
import { lines, properties, texts, useInputFolder } from './read-input.ts';

const { readFile } = useInputFolder();

function split(splitter: ArraySplitter, content: string | Buffer, size: number): RawRecord[] {
  const bytes = Buffer.from(content);
  const found: RawRecord[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...splitter.feed(bytes.subarray(at, at + size)));
  return [...found, ...splitter.end()];
}

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
