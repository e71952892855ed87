import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckOptions, check, compile, compileWhere } from '../src/api/expressions.ts';
import { findRelations } from '../src/api/relate.ts';
import { repair } from '../src/api/repair.ts';
import { Random } from '../src/data/random.ts';
import { type Expression, walk } from '../src/lang/ast.ts';
import type { Use } from '../src/lang/check/check.ts';
import type { Diagnostic, Fix } from '../src/lang/diagnostic.ts';
import { ExpressionCheckError, ExpressionTypeError } from '../src/lang/errors.ts';
import type { Span } from '../src/lang/source.ts';
import { parse } from '../src/lang/syntax/parse.ts';
import { print } from '../src/lang/syntax/print.ts';
import type { TypeName } from '../src/lang/types.ts';
import type { Value } from '../src/lang/value.ts';
import { logical } from './arbitraries.ts';
import type { Input } from './engines.ts';
import { drawFilter, drawRecords } from './related-filters.ts';
import { runs, splitRuns } from './runs.ts';
import { drawCase } from './value-first.ts';

/** The beginning of the messages of each code. */
const SAID: Readonly<Record<string, string>> = {
  'always-true': 'This is always true',
  'never-true': 'This is never true',
  'redundant-condition': 'This makes no difference',
  'unreachable-condition': 'This is never true here',
};

/** Names of properties as they are in the rows below. */
function writeOut(short: string): string {
  return short.replace(/(?<![\w"])[a-z](?![\w"'])/g, (name) => `properties["${name}"]`);
}

function shorten(text: string): string {
  return text.replace(/properties\["([a-z])"\]/g, '$1');
}

function applyFix(source: string, { span, text }: Fix): string {
  return source.slice(0, span.start) + text + source.slice(span.end);
}

function findWarnings(source: string, options: CheckOptions = { use: 'where' }): readonly Diagnostic[] {
  return check(source, { ...options, relations: findRelations }).diagnostics;
}

/** A filter, and of each of its warnings the code, the part, why, and the fixed filter if there is a fix. */
type Row = readonly [
  source: string,
  ...warnings: (readonly [code: string, part: string, why: string, ...fixed: string[]])[],
];

// biome-ignore format: a table, to be read by its rows
const ROWS: readonly Row[] = [
  // Those of issue 41.
  ['a == 1 and a == 2', ['never-true', 'a == 1 and a == 2', '`a` cannot be 1 and 2']],
  ['a != "x" or a != "y"', ['always-true', 'a != "x" or a != "y"', '`a` cannot be "x" and "y"']],
  ['a > 10 and a < 5', ['never-true', 'a > 10 and a < 5', '`a` cannot be more than 10 and less than 5']],
  ['defined(a) or not defined(a)', ['always-true', 'defined(a) or not defined(a)', '`a` cannot be defined and not defined']],
  ['a == "x" and not defined(a)', ['never-true', 'a == "x" and not defined(a)', '`a` cannot be "x" and not defined']],
  ['a == "US" or a in ["US","DE"]', ['redundant-condition', 'a == "US"', '`a` is in ["US", "DE"] whenever it is "US"', 'a in ["US","DE"]']],
  ['a in ["x","x"]', ['redundant-condition', '"x"', '"x" is in the list already', 'a in ["x"]']],
  ['number(a) > 5 and number(a) > 3', ['redundant-condition', 'number(a) > 3', '`number(a)` is more than 3 whenever it is more than 5', 'number(a) > 5']],

  // The smallest conflict, and no warnings inside of others.
  ['b == 3 and a == 1 and a == 2 and b == 4 and a == 1', ['never-true', 'b == 3 and a == 1 and a == 2 and b == 4', '`b` cannot be 3 and 4']],
  ['c == 3 and a == 1 and a == 2', ['never-true', 'a == 1 and a == 2', '`a` cannot be 1 and 2']],
  ['(a == 1 and b == 2) and a == 2', ['never-true', 'a == 1 and b == 2) and a == 2', '`a` cannot be 1 and 2']],
  ['not (a == 1 and a == 2)', ['never-true', 'a == 1 and a == 2', '`a` cannot be 1 and 2']],
  ['b or (a == 1 and a == 2)', ['never-true', 'a == 1 and a == 2', '`a` cannot be 1 and 2']],
  ['b and (a != 1 or a != 2)', ['always-true', 'a != 1 or a != 2', '`a` cannot be 1 and 2']],
  ['a == b and a != b and c', ['never-true', 'a == b and a != b', '`a` cannot be `b` and not `b`']],
  ['floor(a) == 1.5', ['never-true', 'floor(a) == 1.5', '']],
  ['a == 1 and 1 == 2', ['never-true', '1 == 2', '']],
  ['a and false', ['never-true', 'a and false', '']],
  ['a == 1 or true', ['always-true', 'a == 1 or true', '']],
  ['a < now - 60 and a > now', ['never-true', 'a < now - 60 and a > now', '`a` cannot be less than `now - 60` and more than `now`']],
  ['"foo" in a and a == "bar"', ['never-true', '"foo" in a and a == "bar"', '`a` cannot be "bar" and contain "foo"']],
  ['a == "ab" and not "b" in a', ['never-true', 'a == "ab" and not "b" in a', '`a` cannot be "ab" and not contain "b"']],
  ['datetime(a) > datetime("2025-01-02") and datetime(a) <= datetime("2025-01-01")', ['never-true', 'datetime(a) > datetime("2025-01-02") and datetime(a) <= datetime("2025-01-01")', '`a` cannot be after "2025-01-02" and at or before "2025-01-01"']],
  ['a == 1 and number(a) == 2', ['never-true', 'a == 1 and number(a) == 2', '`a == 1` and `number(a) == 2` cannot both be true']],
  ['a in [1, 2] and a in [3]', ['never-true', 'a in [1, 2] and a in [3]', '`a` cannot be in [1, 2] and 3']],
  ['not a == 1 or not number(a) == 2', ['always-true', 'not a == 1 or not number(a) == 2', '`not a == 1` and `not number(a) == 2` cannot both be false']],

  // Conditions that make no difference beside others.
  ['a == 1 and 1 == a', ['redundant-condition', '1 == a', 'it says the same as `a == 1`', 'a == 1']],
  ['a == 1 and b and a == 1', ['redundant-condition', 'a == 1', 'it says the same as `a == 1`', 'a == 1 and b']],
  ['(a == 1 and b == 2) or a == 1', ['redundant-condition', 'a == 1 and b == 2', 'it is never true where `a == 1` is false', 'a == 1']],
  ['a == 1 and (b == 2 or a == 1)', ['redundant-condition', 'b == 2 or a == 1', 'it is always true where `a == 1` is true', 'a == 1']],
  ['a == 1 or a != 1 and b == 2', ['redundant-condition', 'a != 1', 'it is always true where `a == 1` is false', 'a == 1 or b == 2']],
  ['not defined(a) or defined(a) and a > 3', ['redundant-condition', 'defined(a)', 'it is always true where `not defined(a)` is false', 'not defined(a) or a > 3']],
  ['not defined(a) or defined(a) and b > 3', ['redundant-condition', 'defined(a)', 'it is always true where `not defined(a)` is false', 'not defined(a) or b > 3']],
  ['a and a == true', ['redundant-condition', 'a == true', 'it says the same as `a`', 'a']],
  ['a == true or a', ['redundant-condition', 'a == true', 'it is never true where `a` is false', 'a']],
  // Where `a` is 1, the filter fails.
  ['a and b == 1 or a == 1', ['redundant-condition', 'a == 1', 'it is never true where `a and b == 1` is false', 'a and b == 1']],
  ['a and b or (a == b or a == b) and (b or a)', ['redundant-condition', 'a == b', 'it says the same as `a == b`', 'a and b or (a == b) and (b or a)']],
  ['a >= 1 and a <= 1 and a == 1', ['redundant-condition', 'a == 1', 'it is always true where `a >= 1` is true and `a <= 1` is true', 'a >= 1 and a <= 1']],
  ['a in [1, 2, 1, 2]', ['redundant-condition', '1', '1 is in the list already', 'a in [1, 2, 2]'], ['redundant-condition', '2', '2 is in the list already', 'a in [1, 2, 1]']],
  ['a in [-1, 0, -1, 1]', ['redundant-condition', '-1', '-1 is in the list already', 'a in [-1, 0, 1]']],
  ['b == 1 and (a == 1 and a == 2 or b == 1)', ['redundant-condition', 'a == 1 and a == 2 or b == 1', 'it is always true where `b == 1` is true', 'b == 1']],

  // Conditions that are never true where they count.
  ['a == 1 and (a == 2 or b == 2)', ['unreachable-condition', 'a == 2', '`a` cannot be 1 and 2']],
  ['a == 1 and not (a == 2 or b == 2)', ['unreachable-condition', 'a == 2', '`a` cannot be 1 and 2']],
  ['a == 1 and (b == 3 or a == 2 and c == 2)', ['unreachable-condition', 'a == 2 and c == 2', '`a` cannot be 1 and 2']],
  ['a == 1 or not (a != 1 or b == 2)', ['redundant-condition', 'not (a != 1 or b == 2)', 'it is never true where `a == 1` is false', 'a == 1']],

  // Edits keep the parentheses and the spaces of what stays.
  ['(a > 3) and (a > 5)', ['redundant-condition', 'a > 3', '`a` is more than 3 whenever it is more than 5', '(a > 5)']],
  ['((a > 3) and ((b)) and ((a > 5)))', ['redundant-condition', 'a > 3', '`a` is more than 3 whenever it is more than 5', '(((b)) and ((a > 5)))']],
  ['a > 5 and( a > 3 )and b', ['redundant-condition', 'a > 3', '`a` is more than 3 whenever it is more than 5', 'a > 5 and b']],
  ['b or(a > 3)and c and(a > 5)', ['redundant-condition', 'a > 3', '`a` is more than 3 whenever it is more than 5', 'b or c and(a > 5)']],
  ['not (a > 5 AND  a > 3)', ['redundant-condition', 'a > 3', '`a` is more than 3 whenever it is more than 5', 'not (a > 5)']],

  // Nothing to say.
  ['a == 1 and b == 2'], ['a or not a'], ['"foobar" in a and "foo" in a'], ['a > 5 and true'], ['true'], ['1 == 1'],
  ['a == 1 or a == 2 or a == 3'],
];

describe('the warnings about', () => {
  it.each(ROWS.map(([short, ...warnings]) => ({ short, warnings })))('$short', ({ short, warnings }) => {
    const source = writeOut(short);
    const found = findWarnings(source).map(({ code, span, message, fix }) => {
      const fixed = fix === undefined ? [] : [shorten(applyFix(source, fix))];
      return [code, shorten(source.slice(span.start, span.end)), shorten(message), ...fixed];
    });
    const expected = warnings.map(([code, part, why, ...fixed]) => [
      code,
      part,
      `${SAID[code]}${why === '' ? '' : `: ${why}`}.`,
      ...fixed,
    ]);
    expect(found).toEqual(expected);
  });

  it('a condition that only the schema rules out say so, and have no fix', () => {
    const types: TypeName[] = ['string'];
    const schema = { properties: { a: { types, values: ['x', 'y'] }, n: { types: ['number'] as TypeName[] } } };
    const find = (short: string) =>
      findWarnings(writeOut(short), { use: 'where', schema }).map(({ code, message, fix }) => [
        code,
        shorten(message),
        fix !== undefined,
      ]);
    expect(find('a in ["x", "y"] and defined(a)')).toEqual([
      ['redundant-condition', 'This makes no difference: `a` is defined whenever it is in ["x", "y"].', true],
    ]);
    expect(find('defined(a) and a in ["x", "y"]')).toEqual([
      [
        'redundant-condition',
        'This makes no difference, according to the schema: `a` is in ["x", "y"] whenever it is defined.',
        false,
      ],
    ]);
    expect(find('a < "a"')).toEqual([['never-true', 'This is never true, according to the schema.', false]]);
    expect(find('n > 3 or not n > 3')).toEqual([
      ['always-true', 'This is always true: `n` cannot be more than 3 and not more than 3.', false],
    ]);
  });

  it('what another warning or an error is about already, are not added', () => {
    const schema = { properties: { a: { types: ['string'] as TypeName[], values: ['x', 'y'] } } };
    const find = (source: string, options: CheckOptions = {}) => findWarnings(source, options).map(({ code }) => code);
    expect(find('string(properties["a"]) == 1')).toEqual(['never-equal']);
    expect(find('properties["a"] == "X"', { schema })).toEqual(['unknown-value']);
    expect(find('properties["a"] < "10" and properties["a"] < "10"')).toEqual(['text-order', 'text-order']);
    expect(find('properties["a"] == 1 and properties["a"] == 2 and "x"')).toEqual(['operand-type']);
  });

  it('a value is no condition because it can be a boolean, but in a filter it is', () => {
    const schema = { properties: { a: { types: ['string'] as TypeName[], values: ['x', 'y'] } } };
    const find = (use: Use) => findWarnings('properties["a"]', { use, schema }).map(({ code }) => code);
    expect(find('on')).toEqual([]);
    expect(find('where')).toEqual(['never-true']);
  });

  it('a long filter are as many as a reader can use', () => {
    const source = Array.from({ length: 20 }, () => 'properties["a"] == 1').join(' and ');
    expect(findWarnings(source)).toHaveLength(4);
  });

  it.each([
    ['remainders', (index: number) => `properties["a"] % ${index + 2} == 1`],
    ['substrings', (index: number) => `"x${index}" in properties["a"]`],
    ['pairs of properties', (index: number) => `properties["p${index}"] < properties["p${index + 1}"]`],
    ['properties', (index: number) => `properties["p${index}"] == 1`],
  ])('many %s are none, instead of a guess', (_, toCondition) => {
    const source = Array.from({ length: 400 }, (_, index) => toCondition(index)).join(' and ');
    expect(findWarnings(`${source} and properties["z"] == 1`)).toEqual([]);
  });
});

type Answer = 'selects' | 'rejects' | 'fails';

/** Returns a function of records that returns `fails` for a type error. */
function toSafe<Result>(
  evaluate: (properties: object, user?: object) => Result,
  setTime: (now: number) => void,
): (input: Input) => Result | 'fails' {
  return ({ properties, user, now = 0 }) => {
    setTime(now);
    try {
      return evaluate(properties, user);
    } catch (error) {
      if (error instanceof ExpressionTypeError) return 'fails';
      throw error;
    }
  };
}

/** Returns a function that answers for a record; undefined if the filter fails on every record. */
function toAnswer(source: string): ((input: Input) => Answer) | undefined {
  let time = 0;
  try {
    const where = compileWhere(source, { now: () => time });
    return toSafe<Answer>(
      (properties, user) => (where(properties, user) ? 'selects' : 'rejects'),
      (now) => {
        time = now;
      },
    );
  } catch (error) {
    if (error instanceof ExpressionCheckError) return undefined;
    throw error;
  }
}

function toValue(source: string): (input: Input) => Value | 'fails' {
  let time = 0;
  return toSafe(compile(source, { now: () => time }), (now) => {
    time = now;
  });
}

/** Returns the condition that a warning is about: a part of the source, or some operands of one. */
function findPart(source: string, { start, end }: Span): Expression {
  const isInside = ({ span }: Expression) => span.start >= start && span.end <= end;
  for (const node of walk(parse(source))) {
    if (node.span.start === start && node.span.end === end) return node;
    const inside = node.kind === 'logical' ? node.operands.filter(isInside) : [];
    if (node.kind === 'logical' && inside[0]?.span.start === start && inside.at(-1)?.span.end === end)
      return logical(node.operator, inside);
  }
  return expect.unreachable();
}

interface Drawn {
  readonly source: string;
  readonly records: readonly Input[];
}

function expectTrue({ source, records }: Drawn, { code, span, fix }: Diagnostic): void {
  const part = print(findPart(source, span));
  const [whole, answer] = [toAnswer(source), toAnswer(part)];
  const without = `${source.slice(0, span.start)}((${part}) and false)${source.slice(span.end)}`;
  const unreachable = code === 'unreachable-condition' ? toAnswer(without) : undefined;
  const fixed = fix === undefined ? undefined : toAnswer(applyFix(source, fix));
  for (const record of records) {
    const context = `${code}: ${part} in ${source}`;
    if (code === 'never-true' && answer?.(record) === 'selects') expect.fail(`${context} ${JSON.stringify(record)}`);
    if (code === 'always-true') expect(answer?.(record), context).toBe('selects');
    if (unreachable !== undefined) expect(unreachable(record), context).toBe(whole?.(record));
    if (fixed !== undefined) expect(fixed(record), context).toBe(whole?.(record));
  }
}

function drawSmall(seed: number): Drawn {
  const random = new Random(seed);
  const [left, right] = drawFilter(random);
  const source = seed % 2 === 0 ? left : right;
  return { source, records: drawRecords(random, [source], 60) };
}

function drawValueFirst(seed: number): Drawn {
  const [one, other] = [drawCase(seed, 20), drawCase(seed + 1, 20)];
  const [left, right] = [print(one.tree), print(other.tree)];
  const source = [left, `(${left}) and (${right}) or (${left})`, `(${left}) and not (${left})`][seed % 3] as string;
  return { source, records: [...one.records, ...other.records] };
}

const RUNS = runs(600, 300);

describe.each([
  ['drawn around few constants', drawSmall, Object.keys(SAID)],
  ['drawn around values', drawValueFirst, ['always-true', 'never-true', 'redundant-condition']],
] as const)(`the warnings about ${RUNS} filters %s`, (_, draw, codes) => {
  it(
    'hold for all records, and their fixes change nothing',
    () => {
      const seen = new Map<string, number>();
      const law = fc.property(fc.noShrink(fc.noBias(fc.nat())), (seed) => {
        const drawn = draw(seed);
        const { source, records } = drawn;
        if (toAnswer(source) === undefined) return;
        for (const found of findWarnings(source)) {
          if (!found.message.startsWith(SAID[found.code] ?? '-')) continue;
          seen.set(found.code, (seen.get(found.code) ?? 0) + 1);
          expectTrue(drawn, found);
        }
        for (const use of ['where', 'value'] as const) {
          // The fixes of other warnings change what is selected to what is meant.
          if (check(source, { use }).diagnostics.length > 0) continue;
          const options = { use, relations: findRelations };
          const fixed = repair(source, options).source;
          expect(repair(fixed, options).source).toBe(fixed);
          const [before, after] = [source, fixed].map(use === 'where' ? toAnswer : toValue);
          for (const record of records) expect(after?.(record), `${source} as ${fixed}`).toEqual(before?.(record));
        }
      });
      const { seeded, fresh } = splitRuns(RUNS);
      fc.assert(law, seeded);
      if (process.env.ONWHERE_RUNS !== undefined) console.log(seen);
      expect([...seen.keys()]).toEqual(expect.arrayContaining([...codes]));
      fc.assert(law, fresh);
    },
    6 * 3_600_000,
  );
});
