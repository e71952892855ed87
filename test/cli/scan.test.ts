import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '../../src/cli/input/input-error.ts';
import { RecordError } from '../../src/cli/record-error.ts';
import { scan } from '../../src/cli/scan.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import type { Job, JobParts } from '../../src/cli/workers/job.ts';
import { RecordCensus } from '../../src/cli/workers/record-census.ts';
import type { ThreadOptions } from '../../src/cli/workers/worker-pool.ts';
import { Segmentation } from '../../src/data/segmentation.ts';
import { Tally } from '../../src/data/tally.ts';
import { splitRuns } from '../runs.ts';
import { testIo, Written } from './test-io.ts';

const entry = new URL('../../dist/cli/worker.js', import.meta.url);
const ALONE: ThreadOptions = { workers: 0, after: 50, entry };
const SHARED: ThreadOptions = { workers: 2, after: Number.NEGATIVE_INFINITY, entry };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-scan-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Runs a task; returns its result, its warnings and its error. */
async function runTask(files: readonly string[], task: Job, threads: ThreadOptions) {
  const parts: JobParts[keyof JobParts][] = [];
  const warnings = new Written();
  const io = testIo({ err: new OutputStream(warnings, {}) });
  const sink = { part: (part: JobParts[keyof JobParts]) => void parts.push(part), ready: async () => {} };
  const { scanned, error } = await scan(io, files, task, sink, { threads }).then(
    (found) => ({ scanned: found, error: undefined }),
    (failure: Error) => ({ scanned: undefined, error: failure }),
  );
  // Any other error is a bug of the program.
  if (error !== undefined && !(error instanceof InputError || error instanceof RecordError)) throw error;
  return { result: merge(task, parts), scanned, warnings: warnings.text, error: error?.message, cause: error?.cause };
}

/** Merges the parts as the commands do. */
function merge(task: Job, parts: readonly unknown[]): unknown {
  switch (task.kind) {
    case 'lines':
      return parts.join('');
    case 'numbers':
      return parts.flat();
    case 'count': {
      const tally = new Tally(task.unique);
      for (const part of parts) tally.merge(part as JobParts['count']);
      return tally.count;
    }
    case 'segment': {
      const segmentation = new Segmentation(task.unique, task.unit);
      for (const part of parts) segmentation.merge(part as JobParts['segment']);
      return segmentation.result(5);
    }
    case 'describe': {
      const census = new RecordCensus(task.countsValues);
      for (const part of parts) census.merge(part as JobParts['describe']);
      return census;
    }
  }
}

const now = 0;
const TIME = 1748736000;

describe('scan with workers gives the same results as without', () => {
  // A file is read in chunks of 512 KiB: lines of some length make many blocks of few records.
  const filler = 'é'.repeat(10_000);
  const line = fc.oneof(
    {
      weight: 60,
      arbitrary: fc
        .record({
          event: fc.constantFrom('buy', 'view'),
          properties: fc.record(
            {
              distinct_id: fc.oneof(fc.nat({ max: 20 }), fc.constantFrom('ann', 'bob')),
              time: fc.integer({ min: TIME, max: TIME + 10 * 86_400 }),
              plan: fc.constantFrom('pro', 'free', null, true, 'p\u0072o', '\u{1f600}'),
              amount: fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constant('7')),
              flag: fc.boolean(),
            },
            { requiredKeys: [] },
          ),
          filler: fc.constantFrom('', 'x', filler),
        })
        .map((record) => JSON.stringify(record)),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '',
        '  ',
        '[1]',
        '{"event":"buy",',
        '{"properties":{"plan":"pro"},}',
        'é"',
        '\ufeff{}',
      ),
    },
    { weight: 1, arbitrary: fc.constant('{"properties":{"flag":1}}') },
    { weight: 1, arbitrary: fc.constant(`{"properties":{"long":"${'x'.repeat(600_000)}"}}`) },
  );
  const content = fc
    .record({
      some: fc.array(line, { maxLength: 40 }),
      times: fc.integer({ min: 1, max: 4 }),
      end: fc.constantFrom('\n', '\r\n'),
      ended: fc.boolean(),
      marked: fc.boolean(),
      packed: fc.boolean(),
      damaged: fc.boolean(),
    })
    .map(({ some, times, end, ended, marked, packed, damaged }) => {
      const lines = Array.from({ length: times }, () => some).flat();
      const text = Buffer.from((marked ? '\ufeff' : '') + lines.join(end) + (ended ? end : ''));
      const middle = Math.floor(text.length / 2);
      if (damaged && text.length > 0) text.fill(0xff, middle, middle + 1);
      return packed ? gzipSync(text).subarray(0, damaged ? -20 : undefined) : text;
    });
  const where = fc.constantFrom(
    undefined,
    'properties["plan"] == "pro"',
    'properties["amount"] > 50',
    'properties["plan"] in ["free", "\u{1f600}"] or properties["amount"] == "7"',
    'properties["flag"]',
    'properties["flag"] and properties["plan"] == "pro"',
  );
  const task = fc
    .tuple(
      fc.oneof(
        fc.constant({ kind: 'lines' } as const),
        fc.boolean().map((countsValues) => ({ kind: 'describe', countsValues }) as const),
        fc.boolean().map((unique) => ({ kind: 'count', unique }) as const),
        fc
          .record({ unique: fc.boolean(), unit: fc.constantFrom(undefined, 'day', 'week') })
          .map((orders) => ({ ...orders, kind: 'segment', on: 'properties["plan"]' }) as const),
        fc
          .constantFrom('properties["amount"]', 'properties["flag"] and true')
          .map((on) => ({ kind: 'numbers', on }) as const),
      ),
      where,
      fc.constantFrom(undefined, 'buy'),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([orders, where, event, strict, explain]): Job => {
      return {
        ...orders,
        now,
        strict,
        explain,
        ...(where !== undefined && { where }),
        ...(event !== undefined && { event }),
      };
    });

  it('for random files', async () => {
    const ends = new Set<string>();
    const law = fc.asyncProperty(
      fc.array(content, { minLength: 1, maxLength: 3 }),
      fc.array(task, { minLength: 2, maxLength: 2 }),
      async (contents, tasks) => {
        const files = contents.map((bytes, index) => write(`random-${index}.ndjson`, bytes));
        for (const task of tasks) {
          const alone = await runTask(files, task, ALONE);
          expect(await runTask(files, task, SHARED)).toEqual(alone);
          ends.add(alone.error === undefined ? 'done' : String(alone.cause?.constructor.name));
        }
      },
    );
    const { seeded, fresh } = splitRuns(16);
    await fc.assert(law, seeded);
    expect(ends).toContain('done');
    expect(ends.size).toBeGreaterThan(2);
    await fc.assert(law, fresh);
  });
});

describe('a worker pool', () => {
  const record = (index: number) => JSON.stringify({ event: 'e', properties: { n: index, text: 'x'.repeat(1000) } });
  const lines = Array.from({ length: 5000 }, (_, index) => record(index));

  it('counts the parts of a filter', async () => {
    const file = write('many.ndjson', `${lines.join('\n')}\n`);
    const where = 'properties["n"] < 3000 and ("none" in properties["text"] or properties["n"] % 2 == 0)';
    const task = { kind: 'count', unique: false, where, event: 'e', explain: true, now } as const;
    const { scanned } = await runTask([file, file], task, SHARED);
    expect(scanned?.counts?.tree).toMatchObject({
      seen: 10_000,
      matched: 3000,
      clauses: [
        { seen: 10_000, matched: 6000 },
        { clauses: [{ seen: 6000, matched: 0, added: 0 }, { matched: 3000 }] },
      ],
    });
    expect(scanned).toEqual((await runTask([file, file], task, ALONE)).scanned);
  });

  it('warns of the same names that no record has', async () => {
    const late = lines.with(4000, '{"event":"f","properties":{"late":"here"}}');
    const file = write('late.ndjson', `${late.join('\n')}\n`);
    for (const [where, event] of [
      ['properties["late"] == "here"', 'e'],
      ['properties["late"] == "there" or properties["m"] > 1', 'f'],
      ['properties["n"] != 1', 'ee'],
      ['properties["n"] == 1 and properties["texts"] == "x"', undefined],
    ] as const) {
      const task = { kind: 'count', unique: false, where, ...(event && { event }), now } as const;
      const alone = await runTask([file], task, ALONE);
      expect(alone.warnings !== '').toBe(event !== 'e');
      expect((await runTask([file], task, SHARED)).warnings).toBe(alone.warnings);
    }
  });

  it('keeps the same names of a file with too many', async () => {
    const properties = (index: number) => ({ [`p${index}`]: index, [`q${index}`]: 'x'.repeat(200) });
    const many = Array.from({ length: 12_000 }, (_, index) => {
      return JSON.stringify({ event: `e${index}`, properties: properties(index) });
    });
    const file = write('names.ndjson', many.join('\n'));
    const describeWith = async (threads: ThreadOptions) => {
      const { result } = await runTask([file, file], { kind: 'describe', countsValues: true, now }, threads);
      const { events, properties, limited } = result as RecordCensus;
      return { events: [...events], properties: [...properties], limited };
    };
    const alone = await describeWith(ALONE);
    expect(await describeWith(SHARED)).toEqual(alone);
    expect(alone.events).toHaveLength(10_000);
    expect(alone.properties).toHaveLength(10_000);
    expect(alone.properties.at(-1)).toMatchObject(['q4999', { count: 2 }]);
    expect(alone.limited).toEqual(new Set(['events', 'properties']));
  });

  it('keeps the order of lines', async () => {
    const file = write('many.ndjson', `${lines.join('\n')}\n`);
    for (const where of ['true', 'properties["n"] >= 0', '"x" in properties["text"]']) {
      const { result, error } = await runTask([file, file], { kind: 'lines', where, now }, SHARED);
      expect(error).toBeUndefined();
      expect(result === `${[...lines, ...lines].join('\n')}\n`).toBe(true);
    }
  });

  it('stops at the first failing record and keeps the results before it', async () => {
    const failing = lines.with(3000, '{"properties":{"flag":"text"}}').with(4000, '{"properties":{"flag":7}}');
    const file = write('failing.ndjson', failing.join('\n'));
    const where = 'properties["n"] < 5 or properties["flag"]';
    const { result, error, cause } = await runTask([file], { kind: 'lines', where, now }, SHARED);
    expect(error).toBe(`the expression failed on the record at ${file}:3001`);
    expect(cause).toMatchObject({ source: where, operator: 'or', found: 'string', span: { start: 23, end: 41 } });
    expect(result).toBe(
      lines
        .slice(0, 5)
        .map((line) => `${line}\n`)
        .join(''),
    );
  });

  it('reports broken lines with their line numbers in the file', async () => {
    const file = write('broken.ndjson', lines.with(10, '{').with(2500, '[]').with(4999, '7').join('\n'));
    const { result, warnings } = await runTask([file, file], { kind: 'count', unique: false, now }, SHARED);
    expect(result).toBe(2 * 4997);
    expect([...warnings.matchAll(/ndjson:(\d+):/g)].map(([, line]) => line)).toEqual([
      '11',
      '2501',
      '5000',
      '11',
      '2501',
      '5000',
    ]);
    const strict = await runTask([file], { kind: 'count', unique: false, now, strict: true }, SHARED);
    expect(strict.error).toMatch(/^.*broken\.ndjson:11: not JSON/);
  });

  it('processes other formats between line files', async () => {
    const files = [
      write('a.ndjson', lines.join('\n')),
      write('b.json', `[${lines.slice(0, 10).join(',')}]`),
      write('c.csv', 'n,event\n5,e\n'),
      write('d.ndjson', lines.join('\n')),
    ];
    const numbers = await runTask(files, { kind: 'numbers', on: 'properties["n"]', now }, SHARED);
    const each = lines.map((_, index) => index);
    expect(numbers.result).toEqual([...each, ...each.slice(0, 10), 5, ...each]);
  });

  it('waits for a slow sink', async () => {
    const file = write('many.ndjson', `${lines.join('\n')}\n`);
    let [waiting, max] = [0, 0];
    const sink = {
      part: () => void waiting++,
      async ready() {
        await new Promise((resolve) => setTimeout(resolve, 5));
        max = Math.max(max, waiting);
        waiting = 0;
      },
    };
    await scan(testIo(), [file, file], { kind: 'lines', where: 'true', now }, sink, { threads: SHARED });
    expect(max).toBe(1);
  });
});
