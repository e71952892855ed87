import { expect, it } from 'vitest';
import { isUnfinished } from '../../../src/lang/syntax/is-unfinished.ts';
import { tryParse } from '../../../src/lang/syntax/parse.ts';
import { collectGarbage } from '../../collect-garbage.ts';

const MEGABYTE = 1_000_000;
const limits = { length: 5 * MEGABYTE };

function usedMemory(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it.each([
  ['an expression', (source: string) => tryParse(source, { limits })],
  ['a syntax error', (source: string) => tryParse(`${source} +`, { limits })],
  ['an unfinished expression', (source: string) => isUnfinished(`${source} +`)],
])('the parser releases the tokens of %s', (_, parse) => {
  tryParse('1');
  const before = usedMemory();
  parse(`1${' + 1'.repeat(MEGABYTE / 4)}`);
  expect(usedMemory() - before).toBeLessThan(8 * MEGABYTE);
});
