import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageFile } from '../../../src/service/storage/page-file.ts';

let folder: string;
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-pages-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const pages = fc.array(fc.string({ unit: 'grapheme', maxLength: 2_000 }), { maxLength: 8 });

describe('a file of pages', () => {
  it('returns each page while pages are added, afterwards, and after it was cleared', async () => {
    await fc.assert(
      fc.asyncProperty(pages, pages, async (first, second) => {
        const file = await PageFile.create(join(folder, String(++files)));
        for (const added of [first, second]) {
          await file.clear();
          for (const [index, text] of added.entries()) {
            const adding = file.add(text);
            const indexes = [...added.keys()].slice(0, index + 1);
            expect(await Promise.all(indexes.map((page) => file.read(page)))).toEqual(added.slice(0, index + 1));
            await adding;
          }
          expect(file.length).toBe(added.length);
          expect(await Promise.all(added.map((_, index) => file.read(index)))).toEqual(added);
        }
        await file.finish();
        expect(await Promise.all(second.map((_, index) => file.read(index)))).toEqual(second);
        await file.remove();
      }),
      { numRuns: 30 },
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is found by a later process if it is complete', async () => {
    const path = join(folder, 'whole');
    const file = await PageFile.create(path);
    const added = ['first', '', 'é'.repeat(1_000)];
    for (const text of added) await file.add(text);
    await file.finish({ some: 'thing' });
    const found = await PageFile.find(path);
    expect([found?.about, found?.file.length]).toEqual([{ some: 'thing' }, 3]);
    expect(await Promise.all(added.map((_, index) => found?.file.read(index)))).toEqual(added);
    const bytes = readFileSync(path);
    for (let length = 0; length < bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length));
      expect(await PageFile.find(path)).toBeUndefined();
    }
    // The index is longer than any file.
    writeFileSync(path, Buffer.alloc(100, 0xff));
    expect(await PageFile.find(path)).toBeUndefined();
    await file.remove();
  });

  it('is smaller than its text', async () => {
    const file = await PageFile.create(join(folder, 'small'));
    await file.add('{"plan":"pro"}'.repeat(10_000));
    expect(file.bytes).toBeGreaterThan(0);
    expect(file.bytes).toBeLessThan(14_000);
    await file.finish();
  });
});
