import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { setUpTypeCheck } from './type-check.ts';

const ROOT = new URL('../', import.meta.url);

const typeCheck = setUpTypeCheck();

const PROGRAM = `
import { compileWhere, createBatchFromRecords, evaluate, inferSchema, trace, type Compiled } from 'onwhere';
import { FilterSet } from 'onwhere/filters';

interface Purchase {
  plan: string;
  amount: number;
}
declare const purchases: Purchase[];
const isPro: Compiled<boolean> = compileWhere('properties["plan"] == "pro"');
export const selected: Purchase[] = purchases.filter((purchase) => isPro(purchase));
export const values = purchases.map((purchase) => [evaluate('true', purchase), trace('true', purchase).value]);
export const matches: string[] = new FilterSet().match(purchases[0]!, purchases[1]).ids;
export const batch = createBatchFromRecords(purchases.map((properties) => ({ properties })));
export const schema = inferSchema(purchases.map((properties) => ({ properties })));
`;

it.each([
  ['ES modules', ts.ModuleKind.NodeNext, 'mts'],
  ['CommonJS under `module: nodenext`', ts.ModuleKind.NodeNext, 'cts'],
  ['CommonJS under `module: node20`', ts.ModuleKind.Node20, 'cts'],
])('has types for records typed by an interface, in %s', (_, module, extension) => {
  expect(typeCheck(PROGRAM, module, extension)).toEqual([]);
});

it('asks CommonJS under `module: node16` for a dynamic import', () => {
  const [mistake] = typeCheck(PROGRAM, ts.ModuleKind.Node16, 'cts');
  expect(mistake?.text).toMatch(/^TS1479 .*cannot be imported with 'require'.*'import\("onwhere"\)'/);
});

it('refuses a compiled filter as a callback of `filter`, and says why in its docstring', () => {
  const [mistake] = typeCheck(`${PROGRAM}purchases.filter(isPro);`);
  expect(mistake?.text).toMatch(/parameters 'user' and 'index' are incompatible/);
  const declarations = readFileSync(new URL('dist/api/expressions.d.ts', ROOT), 'utf8');
  expect(declarations).toContain('`rows.filter(isPro)` does not type-check, because');
});
