import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain, trace, why } from '../../src/api/index.ts';
import { runCli } from './run-cli.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-explain-'));
  writeFileSync(join(folder, 'schema.json'), '{"properties": {"a": {"types": ["number"]}}}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('explain', () => {
  const SOURCE = 'not (user["b"] in ["x", "y"] or properties["a"] > 5)';

  it('prints the types of the parts, the properties read and the cost', async () => {
    const { code, out, err } = await runCli(['explain', SOURCE, '--schema', join(folder, 'schema.json')]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'expression                     types',
      'not                            boolean',
      '└─ or                          boolean',
      '   ├─ user["b"] in ["x", "y"]  boolean',
      '   │  └─ user["b"]             any',
      '   └─ properties["a"] > 5      boolean or undefined',
      '      └─ properties["a"]       number or undefined',
      '',
      'Reads user["b"], properties["a"].',
      'Costs at most 2 reads, 6 operations, 0 scans.',
      '',
    ]);
  });

  it('prints the values of the parts on a record and the reasons', async () => {
    const { code, out } = await runCli(['explain', '-', '--user', '{"b": "x"}'], { input: `${SOURCE}\n` });
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'expression                     value',
      'not                            false',
      '└─ or                          true',
      '   ├─ user["b"] in ["x", "y"]  true',
      '   │  └─ user["b"]             "x"',
      '   └─ properties["a"] > 5      undefined',
      '      └─ properties["a"]       missing',
      '',
      'Why it is false:',
      '  user["b"] in ["x", "y"] is true: user["b"] is "x"',
      '',
    ]);
  });

  it('prints a type error and fails like eval', async () => {
    const { code, out } = await runCli(['explain', 'properties["a"] and true', '--properties', '{"a": 5}']);
    expect(code).toBe(1);
    expect(out).toContain('and                 type error\n');
    expect(out).toContain('Why it fails:\n  `and` takes booleans; this is a number. properties["a"] is 5\n');
    const filter = await runCli(['explain', 'properties["a"]', '--properties', '{"a": 5}', '--use', 'where']);
    expect([filter.code, filter.out]).toEqual([1, expect.stringContaining('A filter must be true or false')]);
  });

  it('prints JSON', async () => {
    const { out } = await runCli(['explain', SOURCE, '--json']);
    expect(JSON.parse(out)).toEqual(plain(explain(SOURCE)));
    const traced = await runCli(['explain', 'now > 5', '--json', '--properties', '{}', '--now', '7']);
    const tree = trace('now > 5', {}, undefined, { now: 7 });
    expect(JSON.parse(traced.out)).toEqual(plain({ ...explain('now > 5'), tree, why: why(tree) }));
  });

  it('prints warnings and refuses an invalid expression', async () => {
    const warned = await runCli(['explain', '1 < 2 < 3']);
    expect([warned.code, warned.err]).toEqual([0, expect.stringContaining('[chained-comparison]')]);
    const refused = await runCli(['explain', '1 <']);
    expect([refused.code, refused.out, refused.err]).toEqual([1, '', expect.stringContaining('[missing-operand]')]);
    expect((await runCli(['explain', '5 and true'])).code).toBe(1);
  });

  it('escapes control characters', async () => {
    const { out } = await runCli([
      'explain',
      'properties["a\u202e"] == "x"',
      '--properties',
      '{"a\\u202e": "\\u001b[31m"}',
    ]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it('stays readable for a long expression', async () => {
    const items = Array.from({ length: 200 }, (_, index) => `"item ${index}"`).join(', ');
    const { out } = await runCli(['explain', `properties["a"] in [${items}]`, '--properties', '{"a": "x"}']);
    for (const line of out.split('\n')) expect(line.length).toBeLessThan(160);
    expect(out.split('\n')).toHaveLength(7);
  });
});

describe('eval', () => {
  const SOURCE = 'now > properties["time"] and properties["plan"] == "pro"';

  it.each([
    [['--properties', '{"plan": "pro"}'], 'now > properties["time"] and true'],
    [['--properties', '{"plan": "pro"}', '--use', 'where'], 'now > properties["time"]'],
    [['--properties', '{"plan": "free"}'], 'false'],
    [['--now', '5'], '5 > properties["time"] and properties["plan"] == "pro"'],
    [[], SOURCE],
  ])('--partial with %j prints the remaining expression', async (args, left) => {
    expect(await runCli(['eval', SOURCE, '--partial', ...args])).toEqual({ code: 0, out: `${left}\n`, err: '' });
  });

  it.each([
    ['where', 'false'],
    ['number', '0'],
    ['on', '["undefined"]'],
    ['value', 'undefined'],
  ])('--use %s prints %s', async (use, expected) => {
    expect((await runCli(['eval', 'properties["a"]', '--use', use])).out).toBe(`${expected}\n`);
  });
});
