import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/cli/input/input-error.ts';
import { lines, properties, readCsvPieces, texts, useInputFolder } from './read-input.ts';

const { pathOf, readFile } = useInputFolder();

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
      `${pathOf('twice.csv')}:2: the header row has several columns called ${JSON.stringify(name)}. Rename them so that each name is unique`,
    );
  });

  it('distinguishes names that differ only in case', async () => {
    expect(properties(await readFile('case.csv', 'plan,Plan\n1,2\n'))).toEqual([{ plan: 1, Plan: 2 }]);
  });

  it('refuses a file with a broken header', async () => {
    const { error } = await readFile('binary.bin', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0a, 0x1a]));
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(
      `${pathOf('binary.bin')}:1: the header row is broken: not UTF-8 text (Western European text needs --encoding latin1)`,
    );
  });
});
