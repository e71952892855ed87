import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import BUDGETS from './budgets.json' with { type: 'json' };

/** A folder where programs find the package as if it was installed. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-errors-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../', import.meta.url)), join(folder, 'node_modules/onwhere'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program. Returns its output and the lines of its errors. */
function run(file: string, code: string): { readonly stdout: string; readonly lines: readonly string[] } {
  writeFileSync(join(folder, file), code);
  const { stdout, stderr } = spawnSync('node', ['--preserve-symlinks', file], { cwd: folder, encoding: 'utf8' });
  return { stdout, lines: stderr.trimEnd().split('\n') };
}

/** The first frame of a stack trace. */
const frameIn = (lines: readonly string[]) => lines.find((line) => line.startsWith('    at '));

const SHOWN = [
  'ExpressionSyntaxError: `=` is not an operator. (line 1, column 20)',
  '  1 | properties["plan"] = "pro"',
  '    |                    ^',
  '  help: Write `==`.',
];

it('shows the line of the caller and the marked source of an uncaught mistake', () => {
  const code = `import { compileWhere } from 'onwhere';\n\nconst isPro = compileWhere('properties["plan"] = "pro"');\n`;
  const { lines } = run('program.mjs', code);
  expect(lines.length).toBeLessThanOrEqual(BUDGETS.uncaughtErrorLines);
  expect(lines.slice(1, 3).map((line) => line.trim())).toEqual([code.split('\n')[2], '^']);
  expect(lines).toEqual(expect.arrayContaining(SHOWN));
  expect(frameIn(lines)).toContain('program.mjs:3:15');
});

it('shows the marked source in CommonJS, and says how many other mistakes there are', () => {
  const { lines } = run(
    'program.cjs',
    `const { compileWhere } = require('onwhere');
const start = () => compileWhere('properties["plan"] = "pro"\\n and (properties["x"] === 5');
start();`,
  );
  expect(lines.length).toBeLessThanOrEqual(BUDGETS.uncaughtErrorLines);
  expect(lines).toEqual(expect.arrayContaining([...SHOWN, '  (2 more errors)']));
  expect(frameIn(lines)).toMatch(/at start .*program\.cjs:2:21/);
});

it.each([
  ['compile', `compile('1 +')`],
  ['compileWhere', `compileWhere('1 +')`],
  ['compileWhere, which checks', `compileWhere('1')`],
  ['compileOn', `compileOn('1 +')`],
  ['compileNumber', `compileNumber('1 +')`],
  ['compileBatchWhere', `compileBatchWhere('1 +')`],
  ['compileBatchOn', `compileBatchOn('1 +')`],
  ['CompileCache', `new CompileCache().compileWhere('1 +')`],
  ['parse', `parse('1 +')`],
  ['format', `format('1 +')`],
  ['evaluate', `evaluate('1 +', {})`],
  ['explain', `explain('1 +')`],
  ['trace', `trace('1 +', {})`],
  ['evaluatePartially', `evaluatePartially('1 +', {})`],
  ['toForm', `toForm('1 +')`],
  ['expression', 'expression`1 +`'],
  ['subexpression', `subexpression('1 +')`],
  ['FilterSet', `new FilterSet().add('a', '1 +')`],
  ['relate', `relations.relate('true', '1 +')`],
  ['isAlways', `relations.isAlways('1 +')`],
  ['isNever', `relations.isNever('1 +')`],
  ['simplify', `relations.simplify('1 +')`],
  ['canonical', `relations.canonical('1 +')`],
  ['findWitness', `relations.findWitness('1 +')`],
  ['toSql', `toSql('1 +', duckdb, source)`],
  ['toSqlStatement', `toSqlStatement({ a: { expression: '1 +', use: 'value' } }, duckdb, source)`],
  ['splitSql', `splitSql('1 +', duckdb, source)`],
  ['fromSql', `fromSql('1 +')`],
])('begins the stack trace of %s at its caller', (_, call) => {
  const code = `import * as onwhere from 'onwhere'; import { FilterSet } from 'onwhere/filters'; import * as relations from 'onwhere/relate'; import * as sql from 'onwhere/sql';
const { CompileCache, compile, compileWhere, compileOn, compileNumber, compileBatchWhere, compileBatchOn } = onwhere;
const { parse, format, evaluate, explain, trace, evaluatePartially, toForm, expression, subexpression } = onwhere;
const { duckdb, fromSql, splitSql, toSql, toSqlStatement } = sql;
const source = { table: 'events', properties: { rest: { kind: 'json', column: 'properties' } } };
${call};`;
  expect(frameIn(run('program.mjs', code).lines)).toMatch(/program\.mjs:6:\d+/);
});

it('has the names, classes and properties that the guide states', () => {
  const { stdout } = run(
    'program.mjs',
    `import * as onwhere from 'onwhere'; import { fromSql, TranslationError } from 'onwhere/sql';
const failing = {
  ExpressionSyntaxError: () => onwhere.compileWhere('1 +'),
  ExpressionCheckError: () => onwhere.compileWhere('1'),
  ExpressionTypeError: () => onwhere.compile('properties["a"] and true')({ a: 1 }),
  TranslationError: () => fromSql('plan ='),
};
const classes = { ...onwhere, TranslationError };
for (const [name, fail] of Object.entries(failing)) {
  try { fail(); } catch (error) {
    const isOne = error instanceof classes[name] && error instanceof onwhere.ExpressionError && error instanceof Error;
    error.stack = 'replaced';
    console.log(name === error.name, name === error.constructor.name, isOne, Object.keys(error).length,
      error.diagnostics.length, typeof error.source, error.stack);
  }
}`,
  );
  expect(stdout.trim().split('\n')).toEqual(Array(4).fill('true true true 0 1 string replaced'));
});
