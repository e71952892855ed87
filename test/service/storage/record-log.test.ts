import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordLog } from '../../../src/service/storage/record-log.ts';
import type { LogDamage } from '../../../src/service/storage/repair-segment.ts';
import type { LogSegment } from '../../../src/service/storage/segment-folder.ts';
import { anyDamage, type Damage, damagedBytes } from './damage.ts';
import { batchesIn, contentOf, linesIn, newestIn, temporaryFolders } from './log-folder.ts';

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

/** A log beside what it has to hold. */
class Model {
  private batches: string[][] = [];
  private sealed: readonly LogSegment[] = [];
  /** What each name stood for when it was sealed first: it never stands for anything else. */
  private readonly named = new Map<string, string[][]>();
  private readonly reports: LogDamage[] = [];
  private count = 0;

  private constructor(
    private readonly folder: string,
    private log: RecordLog,
  ) {}

  static async run(folder: string, steps: readonly Step[]): Promise<void> {
    const model = new Model(folder, await RecordLog.open(folder, { segmentBytes: 300, report }));
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

  private async append(texts: readonly (readonly string[])[]): Promise<void> {
    const batches = texts.map((batch) => batch.map((text) => JSON.stringify({ event: text, id: this.count++ })));
    await Promise.all(batches.map((batch) => this.log.append(batch)));
    // As the file is read here.
    this.batches.push(...batches.map((batch) => batch.map((line) => Buffer.from(line).toString('latin1'))));
  }

  private async seal(): Promise<void> {
    this.sealed = await this.log.seal();
    expect(linesIn(this.sealed)).toEqual(this.batches);
    for (const segment of this.sealed) {
      const lines = linesIn([segment]);
      expect(segment.records).toBe(lines.flat().length);
      expect(this.named.get(segment.name) ?? lines).toEqual(lines);
      this.named.set(segment.name, lines);
    }
    const names = this.sealed.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
  }

  private async reopen(): Promise<void> {
    await this.log.close();
    this.log = await RecordLog.open(this.folder, { segmentBytes: 300, report: (damage) => this.reports.push(damage) });
  }

  /** Removes what was sealed, even where it was removed before. */
  private async remove(keep: number): Promise<void> {
    const removed = this.sealed.slice(keep);
    const gone = linesIn(removed.filter(({ path }) => existsSync(path)));
    await this.log.remove(removed);
    this.forget(gone);
  }

  private async damage(damage: Damage): Promise<void> {
    const path = newestIn(this.folder);
    if (path === undefined) return;
    const whole = readFileSync(path);
    const bytes = damagedBytes(whole, damage);
    const lost = batchesIn(path).filter(({ start, end }) => !bytes.includes(whole.subarray(start, end)));
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
  it('holds what was added and not removed, each batch whole, once and in its place, whatever is closed, damaged and opened again', async () => {
    await fc.assert(
      fc.asyncProperty(steps, (steps) => Model.run(newFolder(), steps)),
      { numRuns: 150 },
    );
  });

  it('adds thousands of batches at once, with few syncs', async () => {
    let syncs = 0;
    const folder = newFolder();
    const log = await RecordLog.open(folder, {
      report,
      segmentBytes: 100_000,
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
    expect(await contentOf(again)).toEqual(batches);
    await again.close();
  });

  it('takes batches while others are sealed and removed', async () => {
    const log = await RecordLog.open(newFolder(), { report, segmentBytes: 500 });
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
      found.push(...linesIn(sealed));
      await log.remove(sealed);
    }
    expect(log.isEmpty).toBe(true);
    expect(found.toSorted()).toEqual(added.toSorted());
    await log.close();
  });

  it('seals and closes in turn, however many batches keep coming', async () => {
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
    // Had every batch a turn of its own, hundreds would be due by now.
    expect(added - before).toBeLessThan(200);
    isWanted = false;
    await adding;
    await log.close();
  });

  it('closes with more to write than goes together', async () => {
    const folder = newFolder();
    const log = await RecordLog.open(folder, { report });
    const batches = Array.from({ length: 5 }, (_, id) => [`{"event":"${id}","filler":"${'x'.repeat(5_000_000)}"}`]);
    const adding = batches.map((batch) => log.append(batch));
    await log.close();
    await Promise.all(adding);
    const again = await RecordLog.open(folder, { report });
    expect(await contentOf(again)).toEqual(batches);
    await again.close();
  });

  it('knows of batches that are on their way', async () => {
    const log = await RecordLog.open(newFolder(), { report });
    await log.append([]);
    expect(log.isEmpty).toBe(true);
    const adding = log.append(['{"event":"a"}']);
    expect(log.isEmpty).toBe(false);
    await adding;
    expect(log.isEmpty).toBe(false);
    await log.close();
  });

  it('finishes what it was given before it closes, and takes nothing more', async () => {
    const folder = newFolder();
    const log = await RecordLog.open(folder, { report });
    const adding = [log.append(['{"event":"a"}']), log.append(['{"event":"b"}'])];
    await log.close();
    await Promise.all(adding);
    await expect(log.append(['{"event":"c"}'])).rejects.toThrow('is closed');
    await expect(log.seal()).rejects.toThrow('is closed');
    await expect(log.remove([])).rejects.toThrow('is closed');
    const again = await RecordLog.open(folder, { report });
    expect(await contentOf(again)).toEqual([['{"event":"a"}'], ['{"event":"b"}']]);
    await again.close();
  });
});

describe('names of segments', () => {
  it('are not used again after all were removed', async () => {
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

describe('a segment that is not the newest', () => {
  it('loses damaged bytes when it is sealed, even where they stand at its end', async () => {
    await fc.assert(
      fc.asyncProperty(anyDamage, async (damage) => {
        const folder = newFolder();
        const log = await RecordLog.open(folder, { report });
        for (const event of ['a', 'b', 'c']) await log.append([JSON.stringify({ event })]);
        const [{ path } = expect.unreachable()] = await log.seal();
        await log.append(['{"event":"later"}']);
        await log.close();

        const whole = readFileSync(path);
        const bytes = damagedBytes(whole, damage);
        const kept = batchesIn(path).filter(({ start, end }) => bytes.includes(whole.subarray(start, end)));
        writeFileSync(path, bytes);
        const reports: LogDamage[] = [];
        const again = await RecordLog.open(folder, { report: (damage) => reports.push(damage) });
        expect(await contentOf(again)).toEqual([...kept.map(({ lines }) => lines), ['{"event":"later"}']]);
        const moved = reports.map(({ movedTo = '' }) => statSync(movedTo).size);
        const left = kept.map(({ start, end }) => end - start);
        expect([...moved, ...left].reduce((sum, size) => sum + size, 0)).toBe(bytes.length);
        await again.close();
      }),
      { numRuns: 100 },
    );
  });
});

describe('what is lost of a log', () => {
  /** The batches of a log of three segments, each of them closed by the limit, and the newest. */
  async function filled(folder: string): Promise<void> {
    const log = await RecordLog.open(folder, { report, segmentBytes: 150 });
    for (let id = 0; id < 8; id++) await log.append([`{"event":"one of ${id}"}`, `{"event":"two of ${id}"}`]);
    await log.close();
  }

  /** What is said to be lost when the log is opened, and sealed, and opened once more. */
  async function lostOf(folder: string, options: { flushed?: string; isBegun?: boolean } = {}): Promise<string[]> {
    const open = () => RecordLog.open(folder, { report: () => undefined, ...options });
    const log = await open();
    await log.seal();
    const { lost } = log;
    await log.close();
    const again = await open();
    expect(again.lost.length > 0).toBe(lost.length > 0);
    await again.close();
    return [...lost];
  }

  const segments = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.ndjson'));

  it('is said whatever happens to any of its files', async () => {
    await fc.assert(
      fc.asyncProperty(anyDamage, fc.nat({ max: 3 }), async (damage, at) => {
        const folder = newFolder();
        await filled(folder);
        const path = join(folder, segments(folder)[at] ?? expect.unreachable());
        const whole = readFileSync(path);
        const bytes = damagedBytes(whole, damage);
        const isLost = batchesIn(path).some(({ start, end }) => !bytes.includes(whole.subarray(start, end)));
        writeFileSync(path, bytes);
        const lost = await lostOf(folder);
        if (isLost) expect(lost).not.toEqual([]);
        if (bytes.equals(whole)) expect(lost).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('is nothing of a log that is whole, with its manifest or without, and of what was never acknowledged', async () => {
    for (const manifest of ['', '{}', '{"00000009":{"bytes":1,"records":1}}', undefined]) {
      const folder = newFolder();
      await filled(folder);
      if (manifest === undefined) rmSync(join(folder, 'manifest.json'));
      else writeFileSync(join(folder, 'manifest.json'), manifest);
      appendFileSync(join(folder, segments(folder).at(-1) as string), '{"event":"torn');
      expect(await lostOf(folder, { isBegun: true })).toEqual([]);
    }
  });

  it('is told in records', async () => {
    const folder = newFolder();
    await filled(folder);
    const [first = '', second = '', third = '', fourth = ''] = segments(folder);
    rmSync(join(folder, first));
    truncateSync(join(folder, second));
    truncateSync(join(folder, third), 100);
    rmSync(join(folder, fourth));
    expect(await lostOf(folder)).toEqual([
      '00000001.ndjson with 4 records is missing',
      '00000004.ndjson with 4 records is missing',
      '00000002.ndjson has 0 of 4 records',
      '00000003.ndjson has 2 of 4 records',
    ]);
  });

  it('is nothing of what was flushed', async () => {
    const folder = newFolder();
    await filled(folder);
    for (const name of segments(folder).slice(0, 2)) rmSync(join(folder, name));
    expect(await lostOf(folder, { flushed: '00000001' })).toHaveLength(1);
    expect(await lostOf(folder, { flushed: '00000002' })).toEqual([]);
  });

  it('is everything where a log that was begun has no segment, whose names are not used again', async () => {
    for (const flushed of ['', '00000007']) {
      const options = { flushed, isBegun: true };
      expect(await lostOf(newFolder(), options)).toEqual(['its newest file is missing']);
      const log = await RecordLog.open(newFolder(), { report, ...options });
      await log.append(['{"event":"a"}']);
      const [{ name } = expect.unreachable()] = await log.seal();
      expect(name > flushed).toBe(true);
      await log.close();
    }
    const folder = newFolder();
    const log = await RecordLog.open(folder, { report });
    await log.begin();
    await log.close();
    expect(await lostOf(folder, { isBegun: true })).toEqual([]);
  });
});
