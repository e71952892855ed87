import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogFile } from '../../../src/service/storage/log-files.ts';
import { RecordLog } from '../../../src/service/storage/record-log.ts';
import type { LogDamage } from '../../../src/service/storage/repair-log-file.ts';
import { runs } from '../../runs.ts';
import { anyDamage, applyDamage, type Damage } from './damage.ts';
import { findNewest, readBatches, readContent, readLines, temporaryFolders } from './log-folder.ts';

const newFolder = temporaryFolders();

const report = (damage: LogDamage) => expect.unreachable(`nothing is damaged, but ${JSON.stringify(damage)}`);

type Step =
  | { readonly do: 'append'; readonly batches: readonly (readonly string[])[] }
  | { readonly do: 'seal' | 'reopen' }
  | { readonly do: 'remove'; readonly keep: number }
  | { readonly do: 'damage'; readonly damage: Damage };

const batch = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 1, maxLength: 4 });

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('append' as const), batches: fc.array(batch, { maxLength: 4 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('seal' as const, 'reopen' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), keep: fc.nat({ max: 1 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('damage' as const), damage: anyDamage }) },
  ),
  { maxLength: 14 },
);

/** Runs steps on a log and compares it with the batches that it must hold. */
class Model {
  private batches: string[][] = [];
  private sealed: readonly LogFile[] = [];
  /** The content of each file when it was first sealed. It must never change. */
  private readonly named = new Map<string, string[][]>();
  private readonly reports: LogDamage[] = [];
  private count = 0;

  private constructor(
    private readonly folder: string,
    private log: RecordLog,
  ) {}

  static async run(folder: string, steps: readonly Step[]): Promise<void> {
    const model = new Model(folder, await RecordLog.open(folder, { fileBytes: 300, report }));
    for (const step of steps) {
      await model.do(step);
      expect(model.log.isEmpty).toBe(model.batches.length === 0);
    }
    await model.reopen();
    await model.seal();
    await model.log.close();
  }

  private do(step: Step): Promise<void> {
    switch (step.do) {
      case 'append':
        return this.append(step.batches);
      case 'seal':
        return this.seal();
      case 'reopen':
        return this.reopen();
      case 'remove':
        return this.remove(step.keep);
      case 'damage':
        return this.damage(step.damage);
    }
  }

  private async append(events: readonly (readonly string[])[]): Promise<void> {
    const batches = events.map((batch) => batch.map((event) => JSON.stringify({ event, id: this.count++ })));
    await Promise.all(batches.map((batch) => this.log.append(batch)));
    // The tests read files as Latin-1.
    this.batches.push(...batches.map((batch) => batch.map((line) => Buffer.from(line).toString('latin1'))));
  }

  private async seal(): Promise<void> {
    this.sealed = await this.log.seal();
    expect(readLines(this.sealed)).toEqual(this.batches);
    for (const file of this.sealed) {
      const lines = readLines([file]);
      expect(file.records).toBe(lines.flat().length);
      expect(this.named.get(file.name) ?? lines).toEqual(lines);
      this.named.set(file.name, lines);
    }
    const names = this.sealed.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
  }

  private async reopen(): Promise<void> {
    await this.log.close();
    this.log = await RecordLog.open(this.folder, { fileBytes: 300, report: (damage) => this.reports.push(damage) });
  }

  /** Removes sealed files, also those removed before. */
  private async remove(keep: number): Promise<void> {
    const removed = this.sealed.slice(keep);
    const gone = readLines(removed.filter(({ path }) => existsSync(path)));
    await this.log.remove(removed);
    this.forget(gone);
  }

  private async damage(damage: Damage): Promise<void> {
    const path = findNewest(this.folder);
    if (path === undefined) return;
    const whole = readFileSync(path);
    const bytes = applyDamage(whole, damage);
    const lost = readBatches(path).filter(({ start, end }) => !bytes.includes(whole.subarray(start, end)));
    writeFileSync(path, bytes);
    this.reports.length = 0;
    await this.reopen();
    this.forget(lost.map(({ lines }) => lines));
    expect(this.reports.reduce((sum, { bytes }) => sum + bytes, statSync(path).size)).toBe(bytes.length);
    for (const { path: from, offset, bytes: length, movedTo } of this.reports) {
      expect(from).toBe(path);
      if (movedTo) expect(readFileSync(movedTo)).toEqual(bytes.subarray(offset, offset + length));
    }
  }

  private forget(batches: readonly string[][]): void {
    const lines = new Set(batches.flat());
    this.batches = this.batches.filter(([line = '']) => !lines.has(line));
  }
}

describe('a log', () => {
  it('holds each added batch whole, once and in order, despite damage and reopening', async () => {
    await fc.assert(
      fc.asyncProperty(steps, (steps) => Model.run(newFolder(), steps)),
      { numRuns: runs(150) },
    );
  });

  it('adds thousands of batches at once with few syncs', async () => {
    let syncs = 0;
    const folder = newFolder();
    const log = await RecordLog.open(folder, {
      report,
      fileBytes: 100_000,
      openFile: async (path, flags) => {
        const file = await open(path, flags);
        const { datasync } = file;
        file.datasync = () => {
          syncs++;
          return datasync.call(file);
        };
        return file;
      },
    });
    const batches = Array.from({ length: 3000 }, (_, id) => [`{"event":"one of ${id}"}`, `{"event":"two of ${id}"}`]);
    await Promise.all(batches.map((batch) => log.append(batch)));
    await log.close();
    expect(syncs).toBeLessThan(10);
    const again = await RecordLog.open(folder, { report });
    expect(await readContent(again)).toEqual(batches);
    await again.close();
  });

  it('accepts batches while others are sealed and removed', async () => {
    const log = await RecordLog.open(newFolder(), { report, fileBytes: 500 });
    const added: string[][] = [];
    const found: string[][] = [];
    const add = async (writer: number) => {
      for (let id = 0; id < 100; id++) {
        const batch = [JSON.stringify({ event: `${writer} ${id}` })];
        await log.append(batch);
        added.push(batch);
      }
    };
    const adding = Promise.all([add(1), add(2), add(3)]);
    const isDone = adding.then(() => true);
    for (let done = false; !done; ) {
      done = await Promise.race([isDone, new Promise<false>((resolve) => setImmediate(resolve, false))]);
      const sealed = await log.seal();
      found.push(...readLines(sealed));
      await log.remove(sealed);
    }
    expect(log.isEmpty).toBe(true);
    expect(found.toSorted()).toEqual(added.toSorted());
    await log.close();
  });

  it('seals and closes without delay while batches keep coming', async () => {
    const log = await RecordLog.open(newFolder(), { report });
    let added = 0;
    let isWanted = true;
    const add = async () => {
      for (; isWanted; added++) await log.append(['{"event":"a"}']);
    };
    const adding = Promise.all(Array.from({ length: 8 }, add));
    while (added < 800) await new Promise(setImmediate);
    const before = added;
    await log.seal();
    // If each batch took its own turn, hundreds would be waiting.
    expect(added - before).toBeLessThan(200);
    isWanted = false;
    await adding;
    await log.close();
  });

  it('writes several groups of batches before it closes', async () => {
    const folder = newFolder();
    const log = await RecordLog.open(folder, { report });
    const batches = Array.from({ length: 5 }, (_, id) => [`{"event":"${id}","filler":"${'x'.repeat(5_000_000)}"}`]);
    const adding = batches.map((batch) => log.append(batch));
    await log.close();
    await Promise.all(adding);
    const again = await RecordLog.open(folder, { report });
    expect(await readContent(again)).toEqual(batches);
    await again.close();
  });

  it('is not empty while a batch is being added', async () => {
    const log = await RecordLog.open(newFolder(), { report });
    await log.append([]);
    expect(log.isEmpty).toBe(true);
    const adding = log.append(['{"event":"a"}']);
    expect(log.isEmpty).toBe(false);
    await adding;
    expect(log.isEmpty).toBe(false);
    await log.close();
  });

  it('finishes its calls before it closes, and refuses later ones', async () => {
    const folder = newFolder();
    const log = await RecordLog.open(folder, { report });
    const adding = [log.append(['{"event":"a"}']), log.append(['{"event":"b"}'])];
    await log.close();
    await Promise.all(adding);
    await expect(log.append(['{"event":"c"}'])).rejects.toThrow('is closed');
    await expect(log.seal()).rejects.toThrow('is closed');
    await expect(log.remove([])).rejects.toThrow('is closed');
    const again = await RecordLog.open(folder, { report });
    expect(await readContent(again)).toEqual([['{"event":"a"}'], ['{"event":"b"}']]);
    await again.close();
  });
});

describe('the names of log files', () => {
  it('are not reused after all files were removed', async () => {
    const folder = newFolder();
    const names: string[] = [];
    for (let round = 0; round < 4; round++) {
      const log = await RecordLog.open(folder, { report });
      await log.append(['{"event":"a"}']);
      const sealed = await log.seal();
      names.push(...sealed.map(({ name }) => name));
      await log.remove(sealed);
      expect(await log.seal()).toEqual([]);
      await log.close();
    }
    expect(new Set(names).size).toBe(4);
  });
});
