import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

it('onwhere fsck refuses a folder that is not a data folder and leaves it unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'onwhere-fsck-'));
  try {
    for (const data of [folder, join(folder, 'missing')]) {
      const { code, out, err } = await runCli(['fsck', '--data', data]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(`${data} is not a data folder. Pass its path with --data.`);
    }
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
