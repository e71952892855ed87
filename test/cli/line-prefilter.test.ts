import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinePrefilter } from '../../src/cli/input/line-prefilter.ts';
import { LineReader } from '../../src/cli/input/line-reader.ts';
import { ChunkProcessor } from '../../src/cli/workers/chunk-processor.ts';
import { loadAggregator } from '../../src/cli/workers/load-aggregator.ts';
import { Random } from '../../src/data/random.ts';
import { print } from '../../src/lang/syntax/print.ts';
import { binary, call, literal, logical, membership } from '../arbitraries.ts';
import { runs, splitRuns } from '../runs.ts';

const make = await loadAggregator('lines');

const TEXTS = [
  'x',
  'US',
  'a/b',
  'say "hi"',
  'back\\slash',
  'é',
  '日本 \u{1f600}',
  'line\nbreak',
  'tab\t',
  '',
  '"',
  'u0055S',
  '5',
  'true',
];

describe('LinePrefilter', () => {
  const passing = (lines: readonly string[], ...traces: ConstructorParameters<typeof LinePrefilter>[0]) => {
    const reader = new LineReader(undefined, new LinePrefilter(traces));
    reader.open({ bytes: Buffer.from(lines.map((line) => `${line}\n`).join('')) });
    const found: number[] = [];
    for (let next = reader.next(); next !== undefined; next = reader.next()) found.push(next.line);
    return { found, skipped: reader.skipped };
  };
  const US = [{ text: 'US', whole: true }];

  it('skips lines without a required string', () => {
    const lines = ['{"a":"US"}', '{"a":"USA"}', '{"US":1}', '{"a":"U"}\r', '{"a":"xUS"}'];
    expect(passing(lines, US)).toEqual({ found: [1, 3, 5], skipped: 2 });
    expect(passing(lines, US, [{ text: 'x', whole: false }])).toEqual({ found: [5], skipped: 4 });
    expect(passing(lines, [...US, { text: 'A', whole: false }])).toEqual({ found: [1, 2, 3, 5], skipped: 1 });
    expect(passing(lines, [])).toEqual({ found: [], skipped: 5 });
  });

  it('finds strings in any JSON spelling', () => {
    expect(passing(['{"a":"\\u0055S"}', '{"a":"\\n"}'], US).found).toEqual([1]);
    expect(
      passing(['{"a":"a\\/b"}', '{"a":"a\\u002fb"}', '{"a":"a/c"}'], [{ text: 'a/b', whole: true }]).found,
    ).toEqual([1, 2]);
  });

  it('skips in each block', () => {
    const reader = new LineReader([], new LinePrefilter([US]));
    for (const [text, skipped] of [
      ['{"a":"DE"}\n{"a":"US"}\n{"a":"FR"}\n', 2],
      ['{"a":"US"}\n', 0],
      ['{"a":"DE"}\n', 1],
    ] as const) {
      reader.open({ bytes: Buffer.from(text) });
      while (reader.next() !== undefined);
      expect(reader.skipped).toBe(skipped);
    }
  });

  it('reports every broken line', () => {
    const lines = ['{"a":', '[1]', '{"a":"US"', '{"a":"US",}', '{"a",}', '', ' {"b":1}', '{"b":1}'];
    // The seventh is read because it begins with a space.
    expect(passing(lines, US)).toEqual({ found: [1, 2, 3, 4, 5, 7], skipped: 1 });
  });

  it('reports a line that is not UTF-8, and skips none around it', () => {
    const reader = new LineReader([], new LinePrefilter([US]));
    reader.open({ bytes: Buffer.from('{"a":1}\n{"a":"\xff"}\n{"a":2}\n', 'latin1') });
    expect(reader.next()).toMatchObject({ line: 1, properties: { a: 1 } });
    expect(reader.next()).toEqual({ line: 2, reason: 'not UTF-8 text' });
    expect(reader.next()).toMatchObject({ line: 3, properties: { a: 2 } });
    expect(reader.next()).toBeUndefined();
    expect(reader.skipped).toBe(0);
  });
});

/** Writes JSON with random characters of its strings as escapes. */
function spell(json: unknown, random: Random): string {
  return JSON.stringify(json).replace(/"(?:[^"\\]|\\.)*"/g, (string) => {
    if (random.chance(0.8)) return string;
    const spelled = [...(JSON.parse(string) as string)].map((character) => {
      if (random.chance(0.8)) return JSON.stringify(character).slice(1, -1);
      if (character === '/') return '\\/';
      return character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');
    });
    return `"${spelled.join('')}"`;
  });
}

describe('a filter over lines', () => {
  const text = fc.constantFrom(...TEXTS);
  const value = fc.oneof(
    { weight: 4, arbitrary: text },
    fc.tuple(text, text).map(([first, second]) => first + second),
    fc.constantFrom(5, 0, true, null),
    fc.array(text, { maxLength: 2 }),
    fc.record({ deep: text }),
  );
  const name = fc.constantFrom('x', 'a/b', 'é\\');
  const properties = fc.dictionary(name, value, { maxKeys: 3, minKeys: 1 });
  const record = fc.oneof(
    fc.record({ event: name, properties }),
    fc.record({ $distinct_id: text, $properties: properties }),
    properties,
  );
  const property = fc
    .tuple(fc.constantFrom('properties' as const, 'properties' as const, 'user' as const), name)
    .map(([scope, name]) => ({ kind: 'property', scope, name, span: { start: 0, end: 0 } }) as const);
  const leaf = fc.oneof(
    fc.tuple(property, text).map(([left, right]) => binary('==', left, literal(right))),
    fc.tuple(property, text).map(([left, right]) => binary('==', call('string', left), literal(right))),
    fc.tuple(property, text).map(([left, right]) => binary('in', literal(right), left)),
    fc.tuple(property, fc.array(text, { maxLength: 3 })).map(([left, items]) => membership(left, items.map(literal))),
    property.map((left) => binary('>', left, literal(1))),
    property.map((operand) => call('defined', operand)),
  );
  const chain = fc
    .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(leaf, { minLength: 2, maxLength: 3 }))
    .map(([operator, operands]) => logical(operator, operands));
  const filter = fc.oneof(leaf, chain).map((tree) => print(tree));

  it('never loses a matching record', () => {
    let [selected, skipped] = [0, 0];
    const law = fc.property(
      filter,
      fc.array(record, { maxLength: 8 }),
      fc.option(name, { nil: undefined, freq: 1 }),
      fc.noBias(fc.nat()),
      (where, written, event, seed) => {
        const random = new Random(seed);
        const bytes = Buffer.from(written.map((json) => `${spell(json, random)}\n`).join(''));
        const task = { kind: 'lines', where, now: 0, ...(event !== undefined && { event }) } as const;
        const answer = new ChunkProcessor<'lines'>(task, make).processLines({ bytes });
        const whole = new ChunkProcessor<'lines'>({ ...task, explain: true }, make).processLines({ bytes });
        // Only the one that counts clauses looks into all records.
        const { occurred, skipped: unread } = answer;
        expect(answer).toEqual({ ...whole, occurred, skipped: unread, clauses: undefined });
        expect(whole).toEqual({ ...whole, occurred: expect.arrayContaining([...occurred]), skipped: 0 });
        selected += answer.part.split('\n').length - 1;
        skipped += answer.records;
      },
    );
    const { seeded, fresh } = splitRuns(runs(2_000));
    fc.assert(law, seeded);
    expect(selected).toBeGreaterThan(seeded.numRuns / 7);
    expect(skipped).toBeGreaterThan(3 * selected);
    fc.assert(law, fresh);
  });
});
