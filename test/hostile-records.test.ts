import { describe, expect, it } from 'vitest';
import { compile, compileOn, compileWhere, evaluate } from '../src/api/expressions.ts';
import { parse } from '../src/lang/syntax/parse.ts';
import { quote } from '../src/lang/syntax/template.ts';
import { type Properties, readProperty, type Value } from '../src/lang/value.ts';
import { ENGINES } from './engines.ts';

/** What each engine answers for one property of a record, as one of the event and of the user. */
function answers(record: unknown, name: string): Value[] {
  const source = `properties[${quote(name)}]`;
  const inputs = [{ properties: record as Properties }, { properties: {}, user: record as Properties }];
  return inputs.flatMap((input) => {
    const text = input.user === undefined ? source : source.replace('properties', 'user');
    return Object.values(ENGINES).map((prepare) => prepare(text, parse(text), false)(input));
  });
}

/** What all engines answer, which must be the same. */
function read(record: unknown, name: string): Value {
  const [first, ...others] = answers(record, name);
  for (const answer of others) expect(answer).toStrictEqual(first);
  return first;
}

const INHERITED = Object.getOwnPropertyNames(Object.prototype);

describe('names of Object.prototype', () => {
  it.each([...INHERITED, 'prototype', 'length', 'name', 'then'])(
    '%s is undefined where a record does not have it',
    (name) => {
      expect(read({ other: 1 }, name)).toBe(undefined);
      expect(read(Object.create(null), name)).toBe(undefined);
    },
  );

  it.each(INHERITED)('%s is read where a record has it', (name) => {
    const record = JSON.parse(`{${JSON.stringify(name)}: "own", "other": 1}`);
    expect(read(record, name)).toBe('own');
    expect(read(Object.assign(Object.create(null), { [name]: 'own' }), name)).toBe(
      name === '__proto__' ? 'own' : 'own',
    );
  });

  it('are not reached through one another', () => {
    expect(read(JSON.parse('{"__proto__": {"admin": true}}'), 'admin')).toBe(undefined);
    expect(read(JSON.parse('{"__proto__": {"admin": true}}'), '__proto__')).toBe(undefined);
    expect(read(JSON.parse('{"constructor": {"prototype": {"admin": true}}}'), 'admin')).toBe(undefined);
  });

  it('reach neither the operators nor the answers', () => {
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

describe('records that no JSON makes', () => {
  it('have only what is their own', () => {
    const person = new Person();
    expect(read(person, 'own')).toBe('own');
    for (const name of ['inherited', 'computed', 'method', 'constructor']) expect(read(person, name)).toBe(undefined);
    expect(read(Object.create({ a: 1 }), 'a')).toBe(undefined);
    expect(read(Object.create({ a: 1 }, { a: { value: 2 } }), 'a')).toBe(2);
  });

  it('may be frozen, sealed or hide a property', () => {
    expect(read(Object.freeze({ a: [1] }), 'a')).toEqual([1]);
    expect(read(Object.seal({ a: 1 }), 'a')).toBe(1);
    expect(read(Object.defineProperty({}, 'a', { value: 1, enumerable: false }), 'a')).toBe(1);
  });

  it('may be arrays, whose elements have names too', () => {
    expect(read(['x', 'y'], '1')).toBe('y');
    expect(read(['x', 'y'], '2')).toBe(undefined);
    expect(read(['x', 'y'], 'map')).toBe(undefined);
  });

  it.each([null, undefined, 1, 'text', true, 1n, Symbol('s')])('may be nothing of the kind: %s', (record) => {
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
    ['a boxed text', Object('a')],
    ['a boxed number', Object(1)],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', new Uint8Array(2)],
    ['an object with valueOf', { valueOf: () => 1, toString: () => 'a', [Symbol.toPrimitive]: () => 1 }],
    ['a promise', Promise.resolve(1)],
    ['NaN', Number.NaN],
    ['infinity', -Infinity],
  ])('hold %s, which is undefined', (_, a) => {
    expect(read({ a }, 'a')).toBe(undefined);
    expect(read({ a: [1, a] }, 'a')).toEqual([1]);
    expect(compileWhere('properties["a"] == properties["missing"] and not defined(properties["a"])')({ a })).toBe(true);
  });

  it.each<[string, unknown, Value]>([
    ['objects and lists inside', [{ a: 1 }, ['b'], 'c'], ['c']],
    ['nothing that counts', [{}, [], undefined, Number.NaN], []],
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
    ['a hidden element behind a hole', Object.defineProperty([], 1, { value: 'a' }), ['a']],
    ['negative zero', [-0], [0]],
    ['null', [null, undefined], [null]],
    ['properties besides', Object.assign(['a'], { b: 'b' }), ['a']],
  ])('hold an array with %s', (_, a, list) => {
    expect(read({ a }, 'a')).toStrictEqual(list);
  });

  it('hold negative zero, which is zero', () => {
    expect(Object.is(read({ a: -0 }, 'a'), 0)).toBe(true);
    expect(evaluate('string(properties["a"])', { a: -0 })).toBe('0');
  });

  it('hold an array that holds itself', () => {
    const a: unknown[] = ['a'];
    a.push(a);
    expect(read({ a }, 'a')).toEqual(['a']);
  });
});

describe('records with code in them', () => {
  const thrower = () => {
    throw new Error('The record must not be able to fail the query');
  };

  it('are read through their own getters', () => {
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

  it('are undefined where that throws', () => {
    expect(read(Object.defineProperty({}, 'a', { get: thrower }), 'a')).toBe(undefined);
    const elements = Object.defineProperty(['a'], 1, { get: thrower });
    expect(read({ a: elements }, 'a')).toBe(undefined);
  });

  it.each(['get', 'has', 'getOwnPropertyDescriptor', 'ownKeys', 'getPrototypeOf'] as const)(
    'are proxies whose trap %s throws',
    (trap) => {
      const record = new Proxy({ a: 'a' }, { [trap]: thrower });
      // Which of its traps an engine asks is up to the engine.
      for (const answer of answers(record, 'a')) expect([undefined, 'a']).toContain(answer);
      expect([undefined, ['a']]).toContainEqual(read({ a: new Proxy(['a'], { [trap]: thrower }) }, 'a'));
    },
  );

  it('are asked only about the elements of a list that is long and empty', () => {
    const asked: unknown[] = [];
    const list = new Proxy(withHoles({ [2 ** 32 - 2]: 'a' }), {
      get: (target, name) => {
        asked.push(name);
        return Reflect.get(target, name);
      },
    });
    expect(readProperty({ list }, 'list')).toEqual(['a']);
    expect(asked.filter((name) => name !== 'length')).toEqual([String(2 ** 32 - 2)]);
  });

  it('are revoked proxies', () => {
    const { proxy, revoke } = Proxy.revocable<unknown[]>([], {});
    revoke();
    expect(read(proxy, 'a')).toBe(undefined);
    expect(read({ a: proxy }, 'a')).toBe(undefined);
    expect(read({ a: [proxy, 1] }, 'a')).toEqual([1]);
  });

  it('are arrays with methods of their own', () => {
    const a = Object.assign(['a'], { forEach: thrower, map: thrower, filter: thrower, length: 1 });
    expect(read({ a }, 'a')).toEqual(['a']);
  });

  it('leave the record as it was', () => {
    const record = Object.freeze({ a: Object.freeze(['b', 1]), b: 'b' });
    const list = evaluate('properties["a"]', record) as Value[];
    list.push('more');
    expect(record.a).toEqual(['b', 1]);
  });
});

/** Runs with names added to Object.prototype, and takes them away again before anything else can meet them. */
function polluted<T>(names: readonly string[], run: () => T): T {
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
    const answers = polluted(names, () =>
      runs.map((run) => [
        run({}, {}),
        run({ plan: 1 }, { plan: 1 }),
        run(new Person() as never, new Person() as never),
      ]),
    );
    for (const answer of answers) expect(answer).toEqual([undefined, 1, undefined]);
  });

  it('is not read through the elements of a list', () => {
    const record = { a: withHoles({ 1: 'a' }) };
    const run = compile('properties["a"]');
    expect(polluted(names, () => [run(record), evaluate('properties["a"]', record)])).toEqual([['a'], ['a']]);
  });

  it('does not change what compiled filters answer', () => {
    const filter = compileWhere('properties["plan"] == "inherited" or user["plan"] in ["inherited"]');
    const segments = compileOn('properties["plan"]');
    expect(polluted(names, () => [filter({}, {}), segments({}), segments({ plan: 'pro' })])).toEqual([
      false,
      ['undefined'],
      ['pro'],
    ]);
  });
});
