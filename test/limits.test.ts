import { describe, expect, it } from 'vitest';
import {
  check,
  compile,
  compileOn,
  ExpressionSyntaxError,
  evaluate,
  evaluatePartially,
  explain,
  format,
  type ParseOptions,
  parse,
  trace,
} from '../src/api/index.ts';

const nested = (depth: number) => `${'('.repeat(depth)}true${')'.repeat(depth)}`;
const long = (length: number) => `"${'a'.repeat(length - 2)}"`;
const chain = `${'(true) and '.repeat(500)}(true)`;

/** All functions that take a source. Each takes limits. */
const ENTRIES: readonly [string, (source: string, options?: ParseOptions) => unknown][] = [
  ['parse', parse],
  ['format', format],
  ['compile', compile],
  ['compileOn', compileOn],
  ['evaluate', (source, options) => evaluate(source, {}, undefined, options)],
  ['explain', explain],
  ['trace', (source, options) => trace(source, {}, undefined, options)],
  ['evaluatePartially', (source, options) => evaluatePartially(source, {}, options)],
  [
    'check',
    (source, options) => {
      const { ok, diagnostics } = check(source, options);
      if (!ok) throw new ExpressionSyntaxError(source, diagnostics);
    },
  ],
];

describe.each(ENTRIES)('limits of %s', (_, enter) => {
  it.each<[string, string, string, ParseOptions | undefined]>([
    ['length by default', long(65_536), long(65_537), undefined],
    ['length', '1+1+1', '1+1+1 ', { limits: { length: 5 } }],
    ['a larger length', long(70_000), long(70_001), { limits: { length: 70_000 } }],
    ['depth by default', nested(256), nested(257), undefined],
    ['depth in parentheses', nested(3), nested(4), { limits: { depth: 3 } }],
    ['depth in calls', 'floor(ceil(1))', 'floor(ceil(round(1)))', { limits: { depth: 2 } }],
    ['depth in prefix operators', '--1', '---1', { limits: { depth: 2 } }],
    ['depth in operators', '1+1+1', '1+1+1+1', { limits: { depth: 2 } }],
    ['depth of all kinds', 'not (-1 == floor(1))', 'not (-(1) == floor(1 + 1))', { limits: { depth: 4 } }],
    ['depth in a chain', chain, `(${chain})`, { limits: { depth: 2 } }],
    ['depth in comparisons', '1 in [2]', '1 in [2] == true', { limits: { depth: 1 } }],
    ['no depth', 'properties["a"]', '(1)', { limits: { depth: 0 } }],
  ])('apply to %s', (_kind, within, beyond, options) => {
    expect(() => enter(within, options)).not.toThrow();
    expect(() => enter(beyond, options)).toThrow(ExpressionSyntaxError);
    expect(() => enter(beyond, options)).toThrow(/the limit is|levels deep/);
  });

  it.each([-1, 0.5, Number.NaN])('refuse %s', (limit) => {
    expect(() => enter('1', { limits: { length: limit } })).toThrow(RangeError);
    expect(() => enter('1', { limits: { depth: limit } })).toThrow(RangeError);
  });
});
