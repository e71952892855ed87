import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stringifyChecked } from '../../../src/service/storage/checked-json.ts';
import { readManifest, writeManifest } from '../../../src/service/storage/log-manifest.ts';

const MANIFEST = { 1: { bytes: 10, records: 2 } };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-manifest-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (content: object) => writeFileSync(join(folder, 'manifest.json'), stringifyChecked(content));

it('is read as it was written', async () => {
  await writeManifest(folder, MANIFEST);
  expect(await readManifest(folder)).toEqual(MANIFEST);
});

it('is read without a format number, as earlier releases wrote it', async () => {
  write(MANIFEST);
  expect(await readManifest(folder)).toEqual(MANIFEST);
});

it('is refused in a newer format', async () => {
  write({ format: 2, segments: [] });
  await expect(readManifest(folder)).rejects.toThrow(
    'manifest.json has format 2, and this release of onwhere reads up to format 1',
  );
});
