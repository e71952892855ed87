import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFile, makeFolder, replaceFile } from '../../../src/service/storage/files.ts';
import { temporaryFolders } from './log-folder.ts';

const newPath = temporaryFolders();

async function* chunks() {
  yield Buffer.from('one, ');
  yield Buffer.from('two');
}

async function* broken() {
  yield Buffer.from('one, ');
  throw new Error('no more');
}

describe('replaceFile', () => {
  it('writes the new content and leaves no other file', async () => {
    const folder = newPath();
    await makeFolder(join(folder, 'in', 'deep'));
    const path = join(folder, 'in', 'deep', 'file.json');
    for (const content of ['longer than the next', 'text', Buffer.from('bytes')]) {
      await replaceFile(path, content);
      expect(readFileSync(path, 'utf8')).toBe(String(content));
    }
    await replaceFile(path, chunks());
    expect(readFileSync(path, 'utf8')).toBe('one, two');
    expect(readdirSync(join(folder, 'in', 'deep'))).toEqual(['file.json']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('keeps the old content if the new one cannot be written', async () => {
    const folder = newPath();
    mkdirSync(folder);
    const path = join(folder, 'file');
    writeFileSync(path, 'old');
    await expect(replaceFile(path, broken())).rejects.toThrow('no more');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

describe('createFile', () => {
  it('succeeds for one of many concurrent callers, with its content', async () => {
    const folder = newPath();
    mkdirSync(folder);
    const path = join(folder, 'file');
    const contents = Array.from({ length: 20 }, (_, index) => `content ${index}`);
    const results = await Promise.allSettled(contents.map((content) => createFile(path, content)));
    const made = contents.filter((_, index) => results[index]?.status === 'fulfilled');
    expect(made).toEqual([readFileSync(path, 'utf8')]);
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(codes).toEqual(Array(19).fill('EEXIST'));
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('creates no file if the content cannot be written', async () => {
    const folder = newPath();
    mkdirSync(folder);
    await expect(createFile(join(folder, 'file'), broken())).rejects.toThrow('no more');
    expect(existsSync(join(folder, 'file'))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
