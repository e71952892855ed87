import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { check } from '../../src/api/expressions.ts';
import { isAlways, isNever, relate } from '../../src/api/relate.ts';
import type { SavedFilter } from '../../src/cli/input/read-saved-filters.ts';
import { lintFilters } from '../../src/cli/lint/lint-filters.ts';
import { Random } from '../../src/data/random.ts';
import { drawFilter } from '../related-filters.ts';
import { runs } from '../runs.ts';
import { runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'onwhere-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

const save = (name: string, content: string | Uint8Array) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

/** Lints filters of a text with one per line. Returns the kinds of the findings with the lines of their filters. */
async function lint(...filters: string[]): Promise<string[]> {
  const { out } = await runCli(['lint', save('filters.txt', filters.join('\n')), '--json']);
  return JSON.parse(out).findings.map(
    ({ kind, filters: found }: { kind: string; filters: readonly SavedFilter[] }) =>
      `${kind} ${found.map(({ line }) => line).join(' ')}`,
  );
}

describe('lint', () => {
  it.each([
    [['properties["a"] == 1', 'properties["b"] == 1'], []],
    [['properties["a"] = 1', 'properties["b"] == 1'], ['invalid 1']],
    [['properties["a"] > 2 and properties["a"] < 1'], ['never-true 1']],
    [['properties["a"] != 1 or properties["a"] != 2'], ['always-true 1']],
    [['properties["a"] == 1', '1 == event["a"]', 'properties["b"]'], ['duplicate 1 2']],
    [['properties["n"] > 5', 'properties["n"] > 5 and properties["n"] > 3', '5 < event["n"]'], ['duplicate 1 3 2']],
    [['properties["n"] > 5', 'properties["n"] > 3'], ['subsumed 1 2']],
    [
      ['properties["n"] > 5', 'properties["n"] > 3', 'properties["n"] > 1'],
      ['subsumed 1 2', 'subsumed 2 3'],
    ],
    [
      ['properties["n"] > 5', 'properties["n"] > 5 and properties["n"] > 3', 'properties["n"] > 1'],
      ['duplicate 1 2', 'subsumed 1 3'],
    ],
    [
      ['defined(properties["b"]) and properties["a"] == 1', 'properties["b"] == 2 and properties["a"] == 1'],
      ['subsumed 2 1', 'near-duplicate 1 2'],
    ],
    [
      ['properties["n"] > 5', 'not defined(properties["m"])', 'false', 'true'],
      ['never-true 3', 'always-true 4'],
    ],
    [['properties["a"] and true', 'properties["a"] == true'], ['near-duplicate 1 2']],
    [['properties["a"] == 1 and user["b"] == 2', 'user["b"] == 3 and properties["a"] == 1'], ['near-duplicate 1 2']],
    [['properties["a"] == 1 and user["b"] == 2', 'properties["c"] == 1 and user["b"] == 2'], []],
    [['properties["t"] > now - 60', 'properties["t"] > now - 3600'], ['subsumed 1 2']],
  ])('finds in %j', async (filters, expected) => {
    expect(await lint(...filters)).toEqual(expected);
  });

  it('prints each finding with its place, and fails for mistakes alone', async () => {
    const file = save(
      'two.json',
      '{\n"pro": "properties[\\"plan\\"] == \\"pro\\"",\n\n"paid": {"where": "properties[\\"plan\\"] in [\\"pro\\", \\"team\\"]"}\n}',
    );
    const { code, out } = await runCli(['lint', file]);
    expect(out).toBe(`note: ${file}:2 "pro" selects only records that ${file}:4 "paid" selects
  properties["plan"] == "pro"
  properties["plan"] in ["pro", "team"]
  only the second: {"properties":{"plan":"team"}}

2 filters: 1 within another
`);
    expect(code).toBe(0);
    const wrong = await runCli(['lint', '-'], { input: 'plan == 1\n# nothing\ntrue\ntrue\n' });
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain('error: standard input:1 is invalid\nerror: Unknown name "plan"');
    expect(wrong.out).toContain('warning: standard input:3 is always true\n  true\n');
    expect(wrong.out).toContain('3 filters: 1 invalid, 2 always true\n');
  });

  it('reads a folder with filters in every form', async () => {
    const below = join(folder, 'all', 'below');
    mkdirSync(below, { recursive: true });
    const filter = (value: number) => `properties["a"] == ${value}`;
    writeFileSync(join(below, 'whole.where'), `${filter(1)}\nand properties["b"] == 1\n`);
    writeFileSync(join(below, 'broken.where'), 'properties["a"] ==\nor\n');
    writeFileSync(join(below, 'whole.txt'), `${filter(2)}\nand properties["b"] == 1\n`);
    writeFileSync(join(below, 'lines.txt'), `# a comment\n${filter(3)}\r\n\n${filter(4)}\n`);
    writeFileSync(join(below, 'lines.ndjson.gz'), gzipSync(`{"id": 7, "where": ${JSON.stringify(filter(5))}}\n`));
    writeFileSync(
      join(below, 'list.json'),
      `[\n{"name": "n",\n"where": ${JSON.stringify(filter(6))}},\n{"where": "plan"}]`,
    );
    writeFileSync(join(below, 'notes.md'), 'no filters');
    const { out, err } = await runCli(['lint', join(folder, 'all'), '--json']);
    const { filters, findings } = JSON.parse(out);
    expect(filters).toBe(8);
    expect(
      findings.map(({ kind, filters: [first] }: { kind: string; filters: SavedFilter[] }) => [kind, first?.line]),
    ).toEqual([
      ['invalid', 1],
      ['invalid', 4],
      ['near-duplicate', 1],
    ]);
    expect(err).toBe(`note: 6 files in ${join(folder, 'all')}\n`);
  });

  it.each([
    ['broken.json', '{"a": 1}', ':1: expected a filter such as {"id": "pro"'],
    ['twice.json', '{"a": "true",\n"a": "true"}', ':2: an earlier filter has the name "a" too'],
    ['number.json', '5', ': expected an object of filters by name'],
    ['cut.json', '{"a"', ':1: not JSON'],
    ['broken.ndjson', '{"where": "true"}\n[]', ':2: expected a filter'],
    ['empty.txt', '\n# nothing\n', 'There are no filters in'],
    ['latin.txt', Buffer.from([0x61, 0xe9]), 'is not UTF-8 text'],
    ['many.txt', 'true\n'.repeat(5_001), 'There are more than 5,000 filters'],
    ['long.txt', gzipSync('#'.repeat(16_000_001)), 'the filters have more than 16,000,000 characters'],
    ['damaged.txt', gzipSync('true').subarray(0, 15), 'the gzip data is damaged'],
  ])('refuses %s', async (name, content, message) => {
    const { code, err } = await runCli(['lint', save(name, content)]);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect((await runCli(['lint', join(folder, 'missing')])).code).toBe(3);
  });

  it('says what it cannot decide, and compares a limited number of pairs', async () => {
    const odd = ['properties["n"] % 2 == 1', 'properties["n"] % 4 == 1'];
    expect((await runCli(['lint', save('odd.txt', odd.join('\n'))])).out).toContain(
      'It is unknown how 1 pair of filters relate.',
    );
    const many = Array.from({ length: 150 }, (_, index) => `properties["a"] != ${index} and properties["a"] != -1`);
    const filters = many.map((where, index) => ({ file: 'f', line: index + 1, where }));
    expect(lintFilters(filters, { timeZone: 'UTC' }, { pairs: 20, steps: 10_000 })).toMatchObject({
      arePairsLimited: true,
    });
    const unknown = lintFilters(filters.slice(0, 2), { timeZone: 'UTC' }, { pairs: 20, steps: 1 });
    expect(unknown).toMatchObject({ undecidedFilters: 2, findings: [] });
  });

  it('finds every relation that comparing all pairs finds', () => {
    let seen = 0;
    const property = fc.property(fc.noShrink(fc.nat()), (seed) => {
      const random = new Random(seed);
      const drawn = Array.from({ length: 3 }, () => drawFilter(random)).flat();
      const sources = drawn.filter((where) => check(where, { use: 'where' }).ok);
      const filters = sources.map((where, index) => ({ file: 'f', line: index, where }));
      const { findings } = lintFilters(filters, { timeZone: 'UTC' });
      const linesOf = (kind: string) =>
        findings.filter((one) => one.kind === kind).map((one) => one.filters.map(({ line }) => line));
      const groups = linesOf('duplicate');
      const wider = linesOf('subsumed');
      const isSame = (one: number, other: number) =>
        one === other || groups.some((group) => group.includes(one) && group.includes(other));
      const isWithin = (narrow: number, wide: number, depth = 0): boolean =>
        depth < 9 &&
        wider.some(
          ([from = -1, to = -1]) => isSame(from, narrow) && (isSame(to, wide) || isWithin(to, wide, depth + 1)),
        );
      const isConstant = (where: string) => isNever(where).answer !== 'no' || isAlways(where).answer !== 'no';
      for (const [left, one] of sources.entries())
        for (const [right, other] of sources.entries()) {
          if (left === right || isConstant(one) || isConstant(other)) continue;
          const { relation, onlyRight } = relate(one, other, { steps: 10_000 });
          if (relation === 'unknown') continue;
          expect([one, other, isSame(left, right)]).toEqual([one, other, relation === 'equal']);
          if (relation !== 'implies' || onlyRight === undefined) continue;
          expect([one, other, isWithin(left, right)]).toEqual([one, other, true]);
          seen++;
        }
    });
    fc.assert(property, { numRuns: runs(50, 2), seed: 3 });
    expect(seen).toBeGreaterThan(5);
  });
});
