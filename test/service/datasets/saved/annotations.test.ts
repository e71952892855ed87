import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Annotations } from '../../../../src/service/datasets/saved/annotations.ts';

let folder: string;
let annotations: Annotations;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-annotations-'));
  annotations = new Annotations(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const NOTE = { date: '2025-06-01 12:00:00', description: 'Größer "jetzt"\n' };

describe('annotations', () => {
  it('are visible to other processes', async () => {
    const created = await annotations.create('shop', NOTE);
    expect(created).toEqual({ id: expect.any(Number), ...NOTE });
    expect(await new Annotations(folder).list('shop')).toEqual([created]);
    expect(await annotations.list('other')).toEqual([]);
  });

  it.each(['', '{}', 'null'])('are listed except one whose file contains %j', async (content) => {
    const [damaged, whole] = [await annotations.create('shop', NOTE), await annotations.create('shop', NOTE)];
    const file = join(folder, 'projects', 'shop', 'annotations', String(damaged.id), 'content.json');
    writeFileSync(file, content);
    expect(await annotations.list('shop')).toEqual([whole]);
  });

  it('are listed by date and ID within a range of days', async () => {
    const dates = ['2025-06-03 00:00:00', '2025-06-01 23:59:59', '2025-06-02 12:00:00', '2025-06-02 12:00:00'];
    for (const date of dates) await annotations.create('shop', { date, description: '' });
    const ids = async (days?: Parameters<Annotations['list']>[1]) =>
      (await annotations.list('shop', days)).map(({ id }) => id);
    expect(await ids()).toEqual([2, 3, 4, 1]);
    expect(await ids({ from: '2025-06-02' })).toEqual([3, 4, 1]);
    expect(await ids({ to: '2025-06-02' })).toEqual([2, 3, 4]);
    expect(await ids({ from: '2025-06-01', to: '2025-06-01' })).toEqual([2]);
  });

  it('are changed and removed if they exist', async () => {
    const { id } = await annotations.create('shop', NOTE);
    const changed = { date: '2024-02-29 00:00:00', description: 'other' };
    expect(await annotations.update('shop', id, changed)).toBe(true);
    expect(await annotations.list('shop')).toEqual([{ id, ...changed }]);
    expect(await annotations.remove('shop', id)).toBe(true);
    expect(await annotations.list('shop')).toEqual([]);
    for (const unknown of [id, id + 1, -1]) {
      expect(await annotations.update('shop', unknown, NOTE)).toBe(false);
      expect(await annotations.remove('shop', unknown)).toBe(false);
    }
  });

  it('never reuse the ID of a removed annotation', async () => {
    const { id } = await annotations.create('shop', NOTE);
    await annotations.remove('shop', id);
    expect((await annotations.create('shop', NOTE)).id).toBeGreaterThan(id);
  });

  it('are all kept when processes write concurrently', async () => {
    const writers = [annotations, new Annotations(folder), new Annotations(folder)];
    const created = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const writer = writers[index % writers.length] as Annotations;
        const { id } = await writer.create('shop', { ...NOTE, description: `${index}` });
        if (index % 5 === 0) expect(await writer.remove('shop', id)).toBe(true);
        return id;
      }),
    );
    expect(new Set(created).size).toBe(30);
    const remaining = (await annotations.list('shop')).map(({ description }) => Number(description));
    const expected = Array.from({ length: 30 }, (_, index) => index).filter((index) => index % 5 !== 0);
    expect(remaining.toSorted((one, other) => one - other)).toEqual(expected);
  });

  it('keep one of several concurrent changes, and stay removed', async () => {
    const { id } = await annotations.create('shop', NOTE);
    const notes = ['a', 'b', 'c'].map((description) => ({ ...NOTE, description }));
    await Promise.all(notes.map((note) => annotations.update('shop', id, note)));
    expect(notes.map((note) => ({ id, ...note }))).toContainEqual((await annotations.list('shop'))[0]);
    await Promise.all([annotations.remove('shop', id), annotations.update('shop', id, NOTE)]);
    expect(await annotations.list('shop')).toEqual([]);
  });

  it('are refused with an invalid date', async () => {
    const invalid = ['2025-02-29 00:00:00', '2025-06-01 24:00:00', '2025-06-01', '2025-06-01T00:00:00', ''];
    for (const date of invalid) {
      const refusal = { status: 400, message: 'Invalid parameter: date. It takes a time, `yyyy-mm-dd HH:MM:SS`.' };
      expect(() => annotations.create('shop', { ...NOTE, date })).toThrow(expect.objectContaining(refusal));
    }
    expect(await annotations.list('shop')).toEqual([]);
  });
});
