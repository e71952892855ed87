import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  check,
  compile,
  compileNumber,
  compileOn,
  compileWhere,
  ExpressionCheckError,
  ExpressionError,
  ExpressionSyntaxError,
  ExpressionTypeError,
  evaluate,
  format,
  parse,
  renderDiagnostics,
  toSegmentNames,
} from '../src/api/index.ts';
import { anyValue, records, sources } from './arbitraries.ts';
import { codePoint } from './code-point.ts';
import { runs } from './runs.ts';

/** Returns the error that a function throws. */
function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.unreachable();
}

describe('compile', () => {
  it('returns a function that evaluates the expression', () => {
    const price = compile('properties["amount"] * (1 + user["vat"])');
    expect(price({ amount: 10 }, { vat: 0.5 })).toBe(15);
    expect(price({ amount: 10 }, {})).toBe(undefined);
    expect(price({ amount: 10 })).toBe(undefined);
  });

  it('exposes the source, the types and the properties without duplicates', () => {
    const source = ' user["a"] == event["b"] or properties["b"] == properties["a"] + USER["a"]';
    for (const make of [compile, compileWhere, compileOn]) {
      const compiled = make(source);
      expect(compiled.source).toBe(source);
      expect(compiled.types).toEqual(['boolean']);
      expect(compiled.properties).toEqual([
        { scope: 'user', name: 'a' },
        { scope: 'properties', name: 'b' },
        { scope: 'properties', name: 'a' },
      ]);
      expect(Object.isFrozen(compiled)).toBe(true);
    }
  });

  it('filters rows by their properties', () => {
    const isPro = compileWhere('properties["plan"] == "pro"');
    const rows = [{ properties: { plan: 'pro' } }, { properties: { plan: 'free' } }];
    expect(rows.filter((row) => isPro(row.properties))).toEqual([rows[0]]);
  });

  it('uses the schema', () => {
    const schema = { properties: { amount: { types: ['number'] } }, user: {} } as const;
    expect(compile('properties["amount"]', { schema }).types).toEqual(['number', 'undefined']);
    expect(compile('user["amount"]', { schema }).types).toHaveLength(6);
    expect(compile('properties["amount"] and true').types).toEqual(['boolean']);
  });

  it('returns the same value for the same record, and does not modify it', () => {
    fc.assert(
      fc.property(sources, records, ({ source }, { properties, user }) => {
        const run = compileSafely(source);
        const before = [Object.entries(properties), Object.entries(user ?? {})];
        const [first, second] = [run(properties, user), run(properties, user)];
        expect(second).toStrictEqual(first);
        expect([Object.entries(properties), Object.entries(user ?? {})]).toStrictEqual(before);
      }),
      { numRuns: runs(500) },
    );
  });
});

/** Compiles a source at a fixed time to a function that returns the value or the error as a string. */
function compileSafely(source: string): (...records: Parameters<ReturnType<typeof compile>>) => unknown {
  try {
    const run = compile(source, { now: 1 });
    return (...given) => {
      try {
        return run(...given);
      } catch (error) {
        return String(error);
      }
    };
  } catch (error) {
    return () => String(error);
  }
}

describe('compileWhere', () => {
  it('selects a record if the filter is true, not if it is false or undefined', () => {
    const where = compileWhere('properties["a"]');
    expect([where({ a: true }), where({ a: false }), where({})]).toEqual([true, false, false]);
  });

  it.each([1, 'true', null, []])('throws a type error for %j', (a) => {
    const error = catchError(() => compileWhere('properties["a"]')({ a }));
    expect(error).toBeInstanceOf(ExpressionTypeError);
    expect(error).toMatchObject({ operator: 'where', span: { start: 0, end: 15 }, source: 'properties["a"]' });
  });
});

describe('compileOn', () => {
  const on = compileOn('properties["a"]');

  it.each<[unknown, string[]]>([
    ['pro', ['pro']],
    ['', ['']],
    [1.5, ['1.5']],
    [1e21, ['1000000000000000000000']],
    [-0, ['0']],
    [true, ['true']],
    [false, ['false']],
    [null, ['null']],
    [undefined, ['undefined']],
    [{}, ['undefined']],
    [[], []],
    [
      ['b', 'a', 'b'],
      ['b', 'a'],
    ],
    [
      [1, '1', true, 'true'],
      ['1', 'true'],
    ],
    [
      [1e-7, null, true, 'x', {}],
      ['0.0000001', 'null', 'true', 'x'],
    ],
  ])('returns the segments of %j', (a, names) => {
    expect(on({ a })).toEqual(names);
  });

  it('returns the same names as toSegmentNames', () => {
    fc.assert(
      fc.property(anyValue, (a) => {
        expect(on({ a })).toEqual(toSegmentNames(a));
      }),
    );
  });

  it('throws a type error inside the expression', () => {
    expect(catchError(() => compileOn('properties["a"] or true')({ a: 1 }))).toBeInstanceOf(ExpressionTypeError);
  });
});

describe('now', () => {
  const seconds = () => Math.floor(Date.now() / 1000);

  it('is the current time in whole seconds, read at each evaluation', () => {
    const before = seconds();
    const values = [compile('now')({}), evaluate('now', {})];
    const after = seconds();
    for (const value of values) {
      expect(Number.isInteger(value)).toBe(true);
      expect(value).toBeGreaterThanOrEqual(before);
      expect(value).toBeLessThanOrEqual(after);
    }
  });

  it.each([
    [5, 5],
    [5.9, 5],
    [-0.5, -1],
    [0, 0],
  ])('can be fixed at %d', (now, value) => {
    expect(compile('now', { now })({})).toBe(value);
    expect(compileWhere(`now == ${value}`, { now })({})).toBe(true);
    expect(compileOn('now', { now })({})).toEqual([String(value)]);
    expect(evaluate('now', {}, undefined, { now })).toBe(value);
  });

  it('can be a function, called once for each evaluation that reads the time', () => {
    let calls = 0;
    const now = () => ++calls;
    const twice = compile('now + now', { now });
    expect(calls).toBe(0);
    expect([twice({}), twice({})]).toEqual([2, 4]);
    expect(evaluate('now * 10 + now', {}, undefined, { now })).toBe(33);
    expect(compile('1 + 1', { now })({})).toBe(2);
    expect(calls).toBe(3);
  });

  it.each([Number.NaN, Infinity])('cannot be %d', (now) => {
    expect(() => compile('now', { now })({})).toThrow(RangeError);
    expect(() => evaluate('now', {}, undefined, { now })).toThrow(RangeError);
    expect(() => compile('now', { now: () => now })({})).toThrow(RangeError);
  });
});

describe('errors', () => {
  it('in the syntax have all diagnostics and the position of the first', () => {
    const source = 'plan =\n"pro"';
    for (const run of [parse, format, compile, compileWhere, compileOn, (text: string) => evaluate(text, {})]) {
      const error = catchError(() => run(source)) as ExpressionSyntaxError;
      expect(error).toBeInstanceOf(ExpressionSyntaxError);
      expect(error).toBeInstanceOf(ExpressionError);
      expect(error).toBeInstanceOf(Error);
      expect(error.name).toBe('ExpressionSyntaxError');
      expect(error.source).toBe(source);
      expect(error.diagnostics).toEqual(check(source).diagnostics);
      expect(error.message).toBe('Unknown name "plan". (line 1, column 1)');
      expect(error.render()).toBe(renderDiagnostics(source, error.diagnostics));
    }
  });

  it('are thrown by compile for expressions that fail on every record', () => {
    const source = '1 == "1" or\n  5';
    const error = catchError(() => compile(source)) as ExpressionCheckError;
    expect(error).toBeInstanceOf(ExpressionCheckError);
    expect(error.name).toBe('ExpressionCheckError');
    expect(error.diagnostics.map(({ code }) => code)).toEqual(['never-equal', 'operand-type']);
    expect(error.message).toMatch(/\(line 2, column 3\)$/);
    expect(catchError(() => compileWhere('5'))).toBeInstanceOf(ExpressionCheckError);
    expect(compile('5')({})).toBe(5);
    expect(compileOn('5')({})).toEqual(['5']);
  });

  it('in types have the operator, the type and the span of the operand', () => {
    const source = 'true and\n  (properties["a"])';
    for (const run of [
      compile(source),
      compileWhere(source),
      compileOn(source),
      (a: { a: string }) => evaluate(source, a),
    ]) {
      const error = catchError(() => run({ a: 'text' })) as ExpressionTypeError;
      expect(error).toBeInstanceOf(ExpressionTypeError);
      expect(error.name).toBe('ExpressionTypeError');
      expect([error.operator, error.found, error.span]).toEqual(['and', 'string', { start: 12, end: 27 }]);
      expect(error.source).toBe(source);
      expect(error.message).toMatch(/`and`.*string.*\(line 2, column 4\)$/);
      expect(error.render()).toContain('operand-type');
    }
  });

  it('in a tree have its printed source', () => {
    const tree = parse('TRUE AND (properties["a"])');
    const error = catchError(() => evaluate(tree, { a: 1 })) as ExpressionTypeError;
    expect(error.source).toBe('true and properties["a"]');
    expect(error.source.slice(error.span.start, error.span.end)).toBe('properties["a"]');
  });
});

describe('evaluate of a tree', () => {
  /** Creates a tree that counts the reads of its operator, which printing needs. */
  function createCountedTree() {
    const tree = parse('properties["a"] + 1');
    let reads = 0;
    const counted = new Proxy(tree, {
      get(target, key) {
        if (key === 'operator') reads++;
        return Reflect.get(target, key);
      },
    });
    return { counted, reads: () => reads };
  }

  it('prints and parses it only at the first call', () => {
    const { counted, reads } = createCountedTree();
    expect(evaluate(counted, { a: 1 })).toBe(2);
    const first = reads();
    expect(first).toBeGreaterThan(0);
    expect([evaluate(counted, { a: 2 }), evaluate(counted, {})]).toEqual([3, undefined]);
    expect(reads()).toBe(first);
  });

  it('accepts a frozen tree', () => {
    const tree = Object.freeze(parse('properties["a"] + 1'));
    expect([evaluate(tree, { a: 1 }), evaluate(tree, { a: 2 })]).toEqual([2, 3]);
  });

  it('applies the limits of each call', () => {
    const tree = parse('-(-(-properties["a"]))');
    expect(evaluate(tree, { a: 1 })).toBe(-1);
    for (const limits of [{ depth: 1 }, { length: 5 }]) {
      expect(catchError(() => evaluate(tree, { a: 1 }, undefined, { limits }))).toBeInstanceOf(ExpressionSyntaxError);
    }
    expect(evaluate(tree, { a: 2 }, undefined, { limits: { depth: 10 } })).toBe(-2);
    expect(evaluate(tree, { a: 3 })).toBe(-3);
  });
});

describe('check', () => {
  it('never throws, and is ok exactly if compile does not throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          sources.map(({ source }) => source),
          fc.string({ unit: codePoint }),
        ),
        (source) => {
          const { ok, types, properties } = check(source, { use: 'where' });
          if (ok) {
            const compiled = compileWhere(source);
            expect([compiled.types, compiled.properties]).toEqual([types, properties]);
          } else {
            expect(catchError(() => compileWhere(source))).toBeInstanceOf(ExpressionError);
          }
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

describe('a schema', () => {
  it('changes no value, even of a record that does not match it', () => {
    const schema = { properties: { a: { types: ['number'] } } } as const;
    const record = { a: '250' };
    for (const source of ['number(properties["a"]) > 100', 'string(properties["a"])', 'properties["a"] + "!"']) {
      expect(compile(source, { schema })(record)).toEqual(evaluate(source, record));
    }
  });
});

describe('compileNumber', () => {
  it('counts values that are not numbers as 0', () => {
    const amount = compileNumber('properties["amount"] * 2');
    expect([{ amount: 2 }, { amount: '2' }, {}].map((record) => amount(record))).toEqual([4, 0, 0]);
    const plain = compileNumber('properties["amount"]');
    expect([-2.5, '5', true, null, [5]].map((amount) => plain({ amount }))).toEqual([-2.5, 0, 0, 0, 0]);
    expect(compileNumber('"x"').diagnostics.map(({ code }) => code)).toEqual(['never-number']);
  });
});

describe('the time of the query', () => {
  it('is refused in milliseconds', () => {
    expect(() => compile('now', { now: Date.now() })).toThrow(RangeError);
    expect(() => compile('now', { now: Number.NaN })).toThrow(RangeError);
    expect(() => compile('now', { now: () => Date.now() })({})).toThrow(RangeError);
  });
});
