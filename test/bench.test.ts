import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Case } from '../bench/cases/case.ts';
import { CHAINS } from '../bench/cases/cases.ts';
import { HOSTILE_CASES } from '../bench/cases/hostile-cases.ts';
import { REAL_CASES } from '../bench/cases/real-cases.ts';
import { SYNTHETIC_CASES } from '../bench/cases/synthetic-cases.ts';
import { Inexpressible, readPropertyNames, varyConstants } from '../bench/dialect.ts';
import type { RecordEngine } from '../bench/engines/engine.ts';
import { ENGINES } from '../bench/engines/engines.ts';
import { ONWHERE, ONWHERE_DIALECT } from '../bench/engines/onwhere.ts';
import { findHistoryProblem } from '../bench/history.ts';
import { fillBlocks, findMeasured } from '../bench/report/blocks.ts';
import { compare } from '../bench/report/compare.ts';
import { renderMainChart } from '../bench/report/main-chart.ts';
import { findReported, renderReport } from '../bench/report/report.ts';
import { findShownResults } from '../bench/report/speed-block.ts';
import { renderSqlChapter } from '../bench/report/sql-chapter.ts';
import { describeStaleness } from '../bench/report/staleness.ts';
import { renderTable } from '../bench/report/table.ts';
import { PAGES } from '../bench/report/write-reports.ts';
import { addRun, listMeasurements, type Measurement, type Run, readResults } from '../bench/results.ts';
import { SECTIONS } from '../bench/sections.ts';
import { SQL_CASES } from '../bench/sql/sql-case.ts';
import { writeSqlEvents } from '../bench/sql/sql-events.ts';
import { SQL_LAYOUTS } from '../bench/sql/sql-layouts.ts';
import { SQL_DATABASES } from '../bench/sql/sql-section.ts';
import { summarize } from '../bench/statistics.ts';
import { check } from '../src/api/index.ts';
import { toSql } from '../src/api/to-sql.ts';
import { readSourceFiles } from './source-files.ts';

const CASES: readonly Case[] = [...SYNTHETIC_CASES, ...REAL_CASES, ...HOSTILE_CASES];
/** The number of events in this test. The benchmark runs all of them. */
const SOME = 2_000;

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the cases', () => {
  const engines = ONWHERE.filter((engine): engine is RecordEngine => engine.over === 'records');

  it.for(CASES)('$name: the engines agree with both handwritten filters', async (testCase, { skip }) => {
    const events = testCase.events();
    if (events.length === 0) skip('Its data set is missing.');
    const expected = events.map(testCase.byHand);
    expect(new Set(expected)).toEqual(new Set([true, false]));
    expect(events.map(testCase.byHandOwn)).toEqual(expected);
    for (const engine of engines) {
      const filter = (await engine.load(testCase))(engine.write(testCase.filter));
      expect(events.slice(0, SOME).map((properties) => filter(properties) === true)).toEqual(expected.slice(0, SOME));
    }
  });

  it.each(ENGINES.filter(({ group }) => group !== 'by hand'))(
    'are written for $name or throw Inexpressible',
    (engine) => {
      for (const { filter } of CASES) {
        try {
          expect(engine.write(filter)).not.toBe('');
        } catch (error) {
          expect(error).toBeInstanceOf(Inexpressible);
        }
      }
    },
  );

  it('have events with the documented numbers of shapes', () => {
    const shapes = (name: string) => {
      const events = CASES.find((one) => one.name === name)?.events() ?? [];
      return new Set(events.map((properties) => Object.keys(properties).join())).size;
    };
    expect([shapes('P1'), shapes('P1, 200 shapes')]).toEqual([4, 200]);
  });

  it('have twenty clauses in P4', () => {
    const p4 = SYNTHETIC_CASES.find(({ name }) => name === 'P4');
    const one = () => 1;
    const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part);
    const clauses = p4?.filter<number>({
      equals: one,
      differs: one,
      compares: one,
      castCompares: one,
      contains: one,
      lacks: one,
      isOneOf: one,
      isTrue: one,
      isEvenStep: one,
      and: sum,
      or: sum,
    });
    expect(clauses).toBe(20);
  });

  it('for the curve respect the limits of the language', () => {
    const texts = CHAINS.map(({ filter }) => filter(ONWHERE_DIALECT));
    expect(texts.map((text) => check(text).ok)).toEqual(CHAINS.map(() => true));
  });
});

describe('a filter template', () => {
  const [p1, p2] = SYNTHETIC_CASES.map(({ filter }) => filter);

  it('can be varied to have other constants and the same properties', () => {
    const texts = [1, 2].map((serial) => p2 && varyConstants(p2, serial)(ONWHERE_DIALECT));
    expect(texts).toEqual([
      '(properties["amount"] > 101 and properties["plan"] == "pro1")',
      '(properties["amount"] > 102 and properties["plan"] == "pro2")',
    ]);
  });

  it('lists the properties that it reads', () => {
    expect([p1 && readPropertyNames(p1), p2 && readPropertyNames(p2)]).toEqual([['country'], ['amount', 'plan']]);
  });
});

describe('the queries to databases', () => {
  const statements = SQL_DATABASES.flatMap((database) =>
    Object.entries(SQL_LAYOUTS).flatMap(([layout, source]) =>
      SQL_CASES.map((one) => ({
        ...one,
        database: database.dialect.name,
        layout,
        write: () => toSql(one.expression, database.dialect, source, { use: one.use }),
      })),
    ),
  );

  it.each(statements)('have SQL: $name in $database, $layout', ({ write }) => {
    const { condition, segment, segments } = write();
    expect(condition ?? segment ?? segments).toBeDefined();
  });

  it('run on events with each amount in the column of its type', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'onwhere-')), 'events.ndjson');
    await writeSqlEvents(path, 3);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    rmSync(dirname(path), { recursive: true });
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { properties, amount, amount_text = amount } = JSON.parse(line);
      expect(properties.amount).toBe(amount_text);
    }
  });
});

function run(commit: string, ...measurements: Measurement[]): Run {
  return { commit, date: '2025-06-01', machine: { node: '20.0.0', cpu: 'some', cores: 2 }, measurements };
}

describe('reports', () => {
  const measured = (engine: string, median: number): Measurement => ({
    section: 'speed',
    case: 'P1',
    engine,
    metrics: { whole: { median, min: median } },
  });

  it('summarize by the median and the minimum, to three digits', () => {
    expect(summarize([5, 1, 3])).toEqual({ median: 3, min: 1 });
    expect(summarize([1.23456, 2, 3, 4])).toEqual({ median: 2.5, min: 1.23 });
  });

  it('show times, failures and the mean of ratios', () => {
    const broken: Measurement = { section: 'speed', case: 'P1', engine: 'sift', failed: 'n/a' };
    expect(
      renderTable([measured('by hand', 2), measured('jexl', 1_234), broken], {
        section: 'speed',
        metric: 'whole',
        cases: ['P1', 'absent'],
      }),
    ).toBe(
      [
        '|  | P1 | mean ratio |',
        '|---|--:|--:|',
        '| by hand | 2 | 1 × |',
        '| jexl | 1,230 | 617 × |',
        '| sift | n/a |  |',
      ].join('\n'),
    );
  });

  it('show handwritten SQL next to the SQL of onwhere', () => {
    const place = { section: 'sql', case: 'DuckDB, json: country' } as const;
    const byHand = { ...place, engine: 'by hand', sql: 'SELECT 1', metrics: { query: { median: 200, min: 100 } } };
    const ours = { ...place, engine: 'onwhere', sql: 'SELECT 2', metrics: { query: { median: 220, min: 105 } } };
    const chapter = renderSqlChapter({ runs: [run('0123456789', byHand, ours)] }).join('\n');
    expect(chapter).toContain('Measured at 0123456 on 2025-06-01: Node.js 20.0.0 on 2 cores of some, medians.');
    expect(chapter).toContain('| DuckDB, json: country | 200 | 220 | 1.1 × | 1.05 × |');
    expect(chapter).toContain('```sql\nSELECT 1\n```\n```sql\nSELECT 2\n```');
  });

  it('compare ratios, independent of the speed of the machine', () => {
    const before = [measured('by hand', 2), measured('onwhere closures', 8), measured('jexl', 100)];
    const after = [measured('by hand', 1), measured('onwhere closures', 2), measured('jexl', 50)];
    expect(compare(before, after)).toEqual(['speed, P1, onwhere closures, whole: 4 → 2 × by hand, 2 × faster']);
  });

  it('report engines that fail now', () => {
    const broken: Measurement = { section: 'speed', case: 'P1', engine: 'jexl', failed: 'stack overflow' };
    const before = [measured('by hand', 2), measured('jexl', 100)];
    expect(compare(before, [measured('by hand', 2), broken])).toEqual(['speed, P1, jexl: ran → stack overflow']);
  });
});

describe('results', () => {
  const measured = (name: string, median: number): Measurement => ({
    section: 'speed',
    case: name,
    engine: 'by hand',
    metrics: { whole: { median, min: median } },
  });

  it('keep only the last run of each case', () => {
    const before = { runs: [run('a', measured('P1', 1), measured('P2', 2)), run('b', measured('P3', 3))] };
    expect(addRun(before, run('c', measured('P2', 4), measured('P3', 5)))).toEqual({
      runs: [run('a', measured('P1', 1)), run('c', measured('P2', 4), measured('P3', 5))],
    });
  });

  it('join measurements of the same commit, day and machine into one run', () => {
    const before = { runs: [run('a', measured('P1', 1))] };
    expect(addRun(before, run('a', measured('P2', 2)))).toEqual({
      runs: [run('a', measured('P1', 1), measured('P2', 2))],
    });
    const dirty = { ...run('a', measured('P2', 2)), dirty: true } as const;
    expect(addRun(before, dirty).runs).toEqual([...before.runs, dirty]);
  });
});

describe('the committed results', () => {
  const name = findShownResults(read('docs/benchmarks.md'));
  const results = readResults(name);
  const measurements = listMeasurements(results);

  it('are those in the report and the chart', () => {
    expect(read(`bench/results/${name}.md`)).toBe(renderReport(name, results));
    expect(read(`bench/results/${name}.svg`)).toBe(renderMainChart(results));
  });

  it('have no wrong result of this package', () => {
    const others = measurements.filter(({ failed }) => failed?.startsWith('other answer'));
    expect(others.filter(({ engine }) => engine.startsWith('onwhere'))).toEqual([]);
  });

  it('include every engine', () => {
    const named = new Set(measurements.map(({ engine }) => engine));
    const missing = ENGINES.filter((engine) => !named.has(engine.name));
    expect(missing.map((engine) => engine.name)).toEqual([]);
  });
});

describe('pages', () => {
  const name = findShownResults(read('docs/benchmarks.md'));
  const shown = [
    ...[...PAGES, 'src/service/store/README.md', 'src/service/store/clickhouse/README.md'].flatMap((path) =>
      findMeasured(read(path)),
    ),
    ...findReported(name, readResults(name)),
  ];

  it.each(PAGES)('show the results: %s', (path) => {
    expect(fillBlocks(read(path), path)).toBe(read(path));
  });

  it('show only results whose code has changed little since', ({ skip }) => {
    const missing = findHistoryProblem();
    if (missing !== undefined) skip(`Cannot check the age of measurements: ${missing}.`);
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.flatMap(describeStaleness)).toEqual([]);
  });

  it('and sections refer only to existing code', () => {
    const paths = new Set([...Object.values(SECTIONS), ...shown].flatMap(({ code }) => [...code]));
    expect([...paths].filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
  });
});

describe('the code of a section', () => {
  const imports = new Map(
    readSourceFiles(new URL('../src/', import.meta.url)).map((file) => [
      `src/${file.path}`,
      file.imports.filter((one) => one.startsWith('.')).map((one) => posix.join('src', posix.dirname(file.path), one)),
    ]),
  );

  it.each(Object.entries(SECTIONS))('includes all that its entries import: %s', (_, { entries, code }) => {
    const found = new Set<string>(entries);
    // A set visits what is added meanwhile.
    for (const path of found) for (const one of imports.get(path) ?? []) if (imports.has(one)) found.add(one);
    expect(found.size).toBeGreaterThan(entries.length);
    const isListed = (path: string) => code.some((place) => path === place || path.startsWith(`${place}/`));
    expect([...found].filter((path) => !isListed(path))).toEqual([]);
  });
});

describe('a shown measurement', () => {
  const shown = { title: '0.1.0/speed', code: ['src'] };

  it('is stale if it is from uncommitted changes, from another history, or old', ({ skip }) => {
    if (findHistoryProblem() !== undefined) skip('There is no Git history.');
    const [first = '', last = ''] = ['--max-parents=0', '--max-count=1'].map((option) =>
      execFileSync('git', ['rev-list', option, 'HEAD'], { encoding: 'utf8' }).trim(),
    );
    expect(describeStaleness({ ...shown, commit: last })).toEqual([]);
    expect(describeStaleness({ ...shown, commit: last, dirty: true })).toEqual([
      expect.stringContaining('uncommitted'),
    ]);
    expect(describeStaleness({ ...shown, commit: '0'.repeat(40) })).toEqual([
      expect.stringContaining('not in the history'),
    ]);
    expect(describeStaleness({ ...shown, commit: first })).toEqual([
      expect.stringMatching(/since then \d+ commits changed src:/),
    ]);
  });
});
