import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { skipBom } from '../../src/cli/input/chunks.ts';
import { detectFormat } from '../../src/cli/input/detect-format.ts';
import { inPieces, properties, useInputFolder } from './read-input.ts';

const { readFile } = useInputFolder();

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

  it('is gzip by its first bytes, regardless of its name', async () => {
    expect(properties(await readFile('plain.ndjson.gz', '{"a":1}'))).toEqual([{ a: 1 }]);
    expect(properties(await readFile('packed.ndjson', gzipSync('{"a":1}')))).toEqual([{ a: 1 }]);
  });

  it('can be gzip with several members', async () => {
    const members = Buffer.concat([gzipSync('{"a":1}\n{"a"'), gzipSync(':2}\n'), gzipSync('{"a":3}')]);
    expect(properties(await readFile('members.gz', members))).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  });
});
