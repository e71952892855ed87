import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExpressionError } from '../../../../src/lang/errors.ts';
import { CatalogError, DamagedFileError } from '../../../../src/service/datasets/files/errors.ts';
import { Funnels } from '../../../../src/service/datasets/saved/funnels.ts';

let folder: string;
let funnels: Funnels;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-funnels-'));
  funnels = new Funnels(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const FUNNEL = {
  name: 'sign-up',
  steps: [{ event: 'view' }, { event: 'buy', where: 'properties["amount"] > 10' }],
  length: 14,
  lengthUnit: 'day',
} as const;

describe('funnels', () => {
  it('are found by ID', async () => {
    const [first, second] = [await funnels.create('shop', FUNNEL), await funnels.create('shop', FUNNEL)];
    expect(first).toEqual({ id: 1, ...FUNNEL });
    expect(await new Funnels(folder).list('shop')).toEqual([first, second]);
    expect(await funnels.find('shop', 2)).toEqual(second);
    expect(await funnels.remove('shop', 1)).toBe(true);
    expect(await funnels.remove('shop', 1)).toBe(false);
    expect(await funnels.find('shop', 1)).toBeUndefined();
    expect(await funnels.list('shop')).toEqual([second]);
    expect(await funnels.list('other')).toEqual([]);
  });

  it.each(['', '{}', 'null'])('are listed except one whose file contains %j', async (content) => {
    const [damaged, whole] = [await funnels.create('shop', FUNNEL), await funnels.create('shop', FUNNEL)];
    const file = join(folder, 'projects', 'shop', 'funnels', String(damaged.id), 'content.json');
    writeFileSync(file, content);
    expect(await funnels.list('shop')).toEqual([whole]);
    await expect(funnels.find('shop', damaged.id)).rejects.toThrow(DamagedFileError);
  });

  it('last at most 90 days in any unit', async () => {
    const maxLengths = { second: 7_776_000, minute: 129_600, hour: 2_160, day: 90 } as const;
    for (const [lengthUnit, length] of Object.entries(maxLengths) as [keyof typeof maxLengths, number][]) {
      expect(await funnels.create('shop', { ...FUNNEL, length, lengthUnit })).toMatchObject({ length });
      await expect(funnels.create('shop', { ...FUNNEL, length: length + 1, lengthUnit })).rejects.toThrow('90 days');
    }
  });

  it.each([
    { length: 0 },
    { length: 1.5 },
    { length: Number.NaN },
    { name: ' ' },
    { steps: [] },
    { steps: [{ event: '' }] },
  ])('are refused with %o', async (invalid) => {
    await expect(funnels.create('shop', { ...FUNNEL, ...invalid })).rejects.toThrow(CatalogError);
    expect(await funnels.list('shop')).toEqual([]);
  });

  it.each([
    ['properties["a"] >', 'column 18'],
    ['properties["a"] and 5', 'column 21'],
  ])('are refused with the invalid filter %s, and the error has its position: %s', async (where, place) => {
    const refused = funnels.create('shop', { ...FUNNEL, steps: [{ event: 'view', where }] });
    await expect(refused).rejects.toThrow(ExpressionError);
    await expect(refused).rejects.toThrow(place);
    expect(await funnels.list('shop')).toEqual([]);
  });
});
