import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileWhere } from '../../../src/api/expressions.ts';
import { walk } from '../../../src/lang/ast.ts';
import { checkTree } from '../../../src/lang/check/check.ts';
import { codegen } from '../../../src/lang/engines/codegen/codegen.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { print } from '../../../src/lang/syntax/print.ts';
import { quote } from '../../../src/lang/syntax/template.ts';
import { expressions, records } from '../../arbitraries.ts';
import { outcome } from '../../engines.ts';

afterEach(() => vi.unstubAllGlobals());

/** Returns the code that is passed to `new Function` during a compilation. */
function captureCode(compile: () => unknown): string[] {
  const codes: string[] = [];
  const Original = Function;
  vi.stubGlobal('Function', function make(...parts: string[]) {
    codes.push(parts.join('\n'));
    return new Original(...parts);
  });
  compile();
  vi.unstubAllGlobals();
  return codes;
}

describe('generated code', () => {
  it('contains no part of the source', () => {
    const hostile = fc.constantFrom(
      '"];alert(1);["',
      '$' + '{alert(1)}',
      '\u2028',
      '*/',
      '__proto__',
      '`',
      '\\',
      '\n',
      'alert(1)',
    );
    fc.assert(
      fc.property(
        hostile,
        hostile,
        fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e9 }),
        (name, text, number) => {
          const source = `not (properties[${quote(name)}] == ${quote(text)}) and user[${quote(text)}] > ${number}
          or ${quote(text)} in properties[${quote(name)}] or properties["a"] in [${quote(name)}, ${quote(text)}]`;
          for (const code of captureCode(() => compileWhere(source, { engine: codegen }))) {
            expect(code).toMatch(/^[\w\s"=&|!<>(){},.;:?[\]-]*$/);
            expect(code).not.toMatch(/alert|1e\+?\d/);
          }
        },
      ),
    );
  });

  it('is generated once for all expressions of a shape', () => {
    const compile = (name: string, text: string) => () =>
      compileWhere(`string(properties["${name}"]) + "shared" == "${text}" and user["${name}"] > 1`, {
        engine: codegen,
      });
    expect(captureCode(compile('a', 'x'))).toHaveLength(1);
    expect(captureCode(compile('b', 'y'))).toHaveLength(0);
    expect(compile('b', 'y')()({ b: '' }, { b: 2 })).toBe(false);
    expect(compile('b', '1shared')()({ b: 1 }, { b: 2 })).toBe(true);
  });

  it('is evicted after a thousand other shapes', () => {
    const bits = Array.from({ length: 10 }, (_, bit) => bit);
    /** Compiles a different shape for each of 1,024 numbers. */
    const shape = (number: number) => () =>
      compileWhere(bits.map((bit) => `properties["${bit}"] ${(number >> bit) & 1 ? '==' : '>'} 1`).join(' and '), {
        engine: codegen,
      });
    for (let number = 0; number < 1_000; number++) expect(captureCode(shape(number))).toHaveLength(1);
    expect(captureCode(shape(0))).toHaveLength(0);
    for (let number = 1_000; number < 1_024; number++) expect(captureCode(shape(number))).toHaveLength(1);
    expect(captureCode(shape(0))).toHaveLength(0);
    expect(captureCode(shape(1))).toHaveLength(1);
  });
});

it('reads each property at most once', () => {
  fc.assert(
    fc.property(expressions(4), records, (tree, { properties, user }) => {
      const source = print(tree);
      const reads: string[] = [];
      // A name that `Object.prototype` has takes the slow path, which reads it again.
      const countReads = (scope: string, record: object = {}) =>
        new Proxy(Object.fromEntries(Object.entries(record).filter(([name]) => !(name in {}))), {
          get(target, name) {
            if (name !== '__proto__') reads.push(`${scope} ${String(name)}`);
            return Reflect.get(target, name);
          },
        });
      const names = new Set([...walk(parse(source))].flatMap((node) => (node.kind === 'property' ? [node.name] : [])));
      fc.pre(![...names].some((name) => name in {}));
      const run = codegen.toClosure(checkTree(source, parse(source), 'value'));
      outcome(() => run(countReads('properties', properties), countReads('user', user), 1), { properties });
      expect(reads).toEqual([...new Set(reads)]);
    }),
  );
});

it('suggests closures if code generation from strings is forbidden', () => {
  const script = `
    import { codegen, compileWhere } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)};
    const filter = 'properties["a"] == 1';
    try { compileWhere(filter, { engine: codegen }); } catch (error) { console.log(error.message); }
    console.log(compileWhere(filter)({ a: 1 }));`;
  const options = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script];
  expect(execFileSync(process.execPath, options, { encoding: 'utf8' })).toBe(
    'This environment forbids code generation from strings. Omit `engine: codegen` to use closures.\ntrue\n',
  );
});
