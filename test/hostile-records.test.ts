import { describe, expect, it } from 'vitest';
import { compile, compileOn, compileWhere, evaluate } from '../src/api/expressions.ts';
import { parse } from '../src/lang/syntax/parse.ts';
import { quote } from '../src/lang/syntax/template.ts';
import { type Properties, readProperty, type Value } from '../src/lang/value.ts';
import { ENGINES } from './engines.ts';

/** Reads a property of a record with each engine, as a property of the event and of the user. */
function readAll(record: unknown, name: string): Value[] {
  const source = `properties[${quote(name)}]`;
  const inputs = [{ properties: record as Properties }, { properties: {}, user: record as Properties }];
  return inputs.flatMap((input) => {
    const text = input.user === undefined ? source : source.replace('properties', 'user');
    return Object.values(ENGINES).map((prepare) => prepare(text, parse(text), false)(input));
  });
}

/** Reads a property of a record, and checks that all engines read the same value. */
function read(record: unknown, name: string): Value {
  const [first, ...others] = readAll(record, name);
  for (const other of others) expect(other).toStrictEqual(first);
  return first;
}

const INHERITED = Object.getOwnPropertyNames(Object.prototype);

describe('names of Object.prototype', () => {
  it.each([...INHERITED, 'prototype', 'length', 'name', 'then'])(
    'like %s are undefined if a record does not have them',
    (name) => {
      expect(read({ other: 1 }, name)).toBe(undefined);
      expect(read(Object.create(null), name)).toBe(undefined);
    },
  );

  it.each(INHERITED)('like %s are read if a record has them', (name) => {
    const record = JSON.parse(`{${JSON.stringify(name)}: "own", "other": 1}`);
    expect(read(record, name)).toBe('own');
    expect(read(Object.assign(Object.create(null), { [name]: 'own' }), name)).toBe(
      name === '__proto__' ? 'own' : 'own',
    );
  });

  it('are not read through one another', () => {
    expect(read(JSON.parse('{"__proto__": {"admin": true}}'), 'admin')).toBe(undefined);
    expect(read(JSON.parse('{"__proto__": {"admin": true}}'), '__proto__')).toBe(undefined);
    expect(read(JSON.parse('{"constructor": {"prototype": {"admin": true}}}'), 'admin')).toBe(undefined);
  });

  it('affect neither operators nor results', () => {
    for (const name of INHERITED) {
      expect(() => parse(`${name}(1)`)).toThrow(/function|name/i);
      expect(compileOn('properties["a"]')({ a: name })).toEqual([name]);
      expect(evaluate(`boolean(${quote(name)})`, {})).toBe(undefined);
      expect(evaluate(`number(${quote(name)})`, {})).toBe(undefined);
    }
  });
});

class Person {
  own = 'own';
  inherited!: string;
  get computed(): string {
    return 'inherited';
  }
  method(): string {
    return 'inherited';
  }
}
Object.assign(Person.prototype, { inherited: 'inherited' });

function withHoles(elements: Readonly<Record<number, unknown>>): unknown[] {
  return Object.assign([], elements);
}

describe('records that are not from JSON', () => {
  it('have only their own properties', () => {
    const person = new Person();
    expect(read(person, 'own')).toBe('own');
    for (const name of ['inherited', 'computed', 'method', 'constructor']) expect(read(person, name)).toBe(undefined);
    expect(read(Object.create({ a: 1 }), 'a')).toBe(undefined);
    expect(read(Object.create({ a: 1 }, { a: { value: 2 } }), 'a')).toBe(2);
  });

  it('can be frozen, sealed or have a hidden property', () => {
    expect(read(Object.freeze({ a: [1] }), 'a')).toEqual([1]);
    expect(read(Object.seal({ a: 1 }), 'a')).toBe(1);
    expect(read(Object.defineProperty({}, 'a', { value: 1, enumerable: false }), 'a')).toBe(1);
  });

  it('can be arrays, with indexes as names', () => {
    expect(read(['x', 'y'], '1')).toBe('y');
    expect(read(['x', 'y'], '2')).toBe(undefined);
    expect(read(['x', 'y'], 'map')).toBe(undefined);
  });

  it.each([null, undefined, 1, 'text', true, 1n, Symbol('s')])('can be other values: %s', (record) => {
    expect(read(record, 'length')).toBe(undefined);
    expect(read(record, '0')).toBe(undefined);
  });

  it.each([
    ['a function', () => 'a'],
    ['a class', Person],
    ['a symbol', Symbol('a')],
    ['a bigint', 10n],
    ['an object', { b: 1 }],
    ['an object with a length', { length: 1, 0: 'a' }],
    ['a boxed string', Object('a')],
    ['a boxed number', Object(1)],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', new Uint8Array(2)],
    ['an object with valueOf', { valueOf: () => 1, toString: () => 'a', [Symbol.toPrimitive]: () => 1 }],
    ['a promise', Promise.resolve(1)],
    ['NaN', Number.NaN],
    ['infinity', -Infinity],
  ])('can have %s, which reads as undefined', (_, a) => {
    expect(read({ a }, 'a')).toBe(undefined);
    expect(read({ a: [1, a] }, 'a')).toEqual([1]);
    expect(compileWhere('properties["a"] == properties["missing"] and not defined(properties["a"])')({ a })).toBe(true);
  });

  it.each<[string, unknown, Value]>([
    ['objects and lists inside', [{ a: 1 }, ['b'], 'c'], ['c']],
    ['only undefined elements', [{}, [], undefined, Number.NaN], []],
    ['holes', withHoles({ 1: 'a', 3: 'b' }), ['a', 'b']],
    [
      'holes between its elements',
      withHoles({ 0: 'a', 3: 'b', 11: 'd', 4: {}, 5: 'c', [2 ** 32 - 2]: 'e' }),
      [...'abcde'],
    ],
    [
      'holes and properties',
      Object.assign(withHoles({ 1: 'a' }), { '01': 1, '-1': 2, '1.5': 3, [2 ** 32 - 1]: 4, [Symbol('s')]: 5 }),
      ['a'],
    ],
    ['a hidden element after a hole', Object.defineProperty([], 1, { value: 'a' }), ['a']],
    ['negative zero', [-0], [0]],
    ['null', [null, undefined], [null]],
    ['other properties', Object.assign(['a'], { b: 'b' }), ['a']],
  ])('can have an array with %s', (_, a, list) => {
    expect(read({ a }, 'a')).toStrictEqual(list);
  });

  it('can have negative zero, which reads as zero', () => {
    expect(Object.is(read({ a: -0 }, 'a'), 0)).toBe(true);
    expect(evaluate('string(properties["a"])', { a: -0 })).toBe('0');
  });

  it('can have an array that contains itself', () => {
    const a: unknown[] = ['a'];
    a.push(a);
    expect(read({ a }, 'a')).toEqual(['a']);
  });
});

describe('records with code', () => {
  const thrower = () => {
    throw new Error('The record must not be able to fail the query');
  };

  it('can have getters', () => {
    let calls = 0;
    const record = {
      get a() {
        calls++;
        return 'got';
      },
    };
    expect(compile('properties["a"]')(record)).toBe('got');
    expect(calls).toBe(1);
  });

  it('can have getters that throw, which read as undefined', () => {
    expect(read(Object.defineProperty({}, 'a', { get: thrower }), 'a')).toBe(undefined);
    const elements = Object.defineProperty(['a'], 1, { get: thrower });
    expect(read({ a: elements }, 'a')).toBe(undefined);
  });

  it.each(['get', 'has', 'getOwnPropertyDescriptor', 'ownKeys', 'getPrototypeOf'] as const)(
    'can be proxies whose trap %s throws',
    (trap) => {
      const record = new Proxy({ a: 'a' }, { [trap]: thrower });
      // Engines use different traps.
      for (const value of readAll(record, 'a')) expect([undefined, 'a']).toContain(value);
      expect([undefined, ['a']]).toContainEqual(read({ a: new Proxy(['a'], { [trap]: thrower }) }, 'a'));
    },
  );

  it('can have a long and nearly empty array, of which only the elements are read', () => {
    const reads: unknown[] = [];
    const list = new Proxy(withHoles({ [2 ** 32 - 2]: 'a' }), {
      get: (target, name) => {
        reads.push(name);
        return Reflect.get(target, name);
      },
    });
    expect(readProperty({ list }, 'list')).toEqual(['a']);
    expect(reads.filter((name) => name !== 'length')).toEqual([String(2 ** 32 - 2)]);
  });

  it('can be revoked proxies', () => {
    const { proxy, revoke } = Proxy.revocable<unknown[]>([], {});
    revoke();
    expect(read(proxy, 'a')).toBe(undefined);
    expect(read({ a: proxy }, 'a')).toBe(undefined);
    expect(read({ a: [proxy, 1] }, 'a')).toEqual([1]);
  });

  it('can have arrays with own methods', () => {
    const a = Object.assign(['a'], { forEach: thrower, map: thrower, filter: thrower, length: 1 });
    expect(read({ a }, 'a')).toEqual(['a']);
  });

  it('do not change if a result is modified', () => {
    const record = Object.freeze({ a: Object.freeze(['b', 1]), b: 'b' });
    const list = evaluate('properties["a"]', record) as Value[];
    list.push('more');
    expect(record.a).toEqual(['b', 1]);
  });
});

/** Runs a function with names added to Object.prototype, and removes them again. */
function runPolluted<T>(names: readonly string[], run: () => T): T {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  for (const name of names) prototype[name] = 'inherited';
  try {
    return run();
  } finally {
    for (const name of names) delete prototype[name];
  }
}

describe('a polluted Object.prototype', () => {
  const names = ['plan', 'types', 'constant', 'value', 'schema', 'q', '0', 'left', 'span'];

  it.each(['properties', 'event', 'user'])('is not read through %s', (scope) => {
    const source = `${scope}["plan"]`;
    const runs = [compile(source), (...records: [Properties, Properties]) => evaluate(source, ...records)];
    const results = runPolluted(names, () =>
      runs.map((run) => [
        run({}, {}),
        run({ plan: 1 }, { plan: 1 }),
        run(new Person() as never, new Person() as never),
      ]),
    );
    for (const result of results) expect(result).toEqual([undefined, 1, undefined]);
  });

  it('is not read through the elements of a list', () => {
    const record = { a: withHoles({ 1: 'a' }) };
    const run = compile('properties["a"]');
    expect(runPolluted(names, () => [run(record), evaluate('properties["a"]', record)])).toEqual([['a'], ['a']]);
  });

  it('does not change the results of compiled filters', () => {
    const filter = compileWhere('properties["plan"] == "inherited" or user["plan"] in ["inherited"]');
    const segments = compileOn('properties["plan"]');
    expect(runPolluted(names, () => [filter({}, {}), segments({}), segments({ plan: 'pro' })])).toEqual([
      false,
      ['undefined'],
      ['pro'],
    ]);
  });
});
