import { expect, it } from 'vitest';
import { DamagedFiles } from '../../../../src/service/datasets/files/damaged-files.ts';

it('DamagedFiles does not report a file when too many files are open', async () => {
  const reported: unknown[] = [];
  const files = new DamagedFiles((event) => reported.push(event));
  for (const code of ['EMFILE', 'ENFILE']) {
    const failed = Object.assign(new Error(code), { code });
    await expect(files.read('a', () => Promise.reject(failed))).rejects.toBe(failed);
  }
  expect([files.has('a'), reported]).toEqual([false, []]);
  expect(await files.read('a', () => Promise.reject(new Error('other')))).toBeUndefined();
  expect([files.has('a'), reported.length]).toEqual([true, 1]);
});
