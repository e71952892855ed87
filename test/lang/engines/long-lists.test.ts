import { describe, expect, it } from 'vitest';
import { FilterSet } from '../../../src/api/filter-set.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import type { Scalar } from '../../../src/lang/value.ts';
import { ENGINES } from '../../engines.ts';

/** Engines test short lists one by one and look long ones up. */
const LENGTHS = [1, 2, 3, 5, 6, 7, 8, 9, 16, 33, 65];

const KINDS: Readonly<Record<string, (index: number) => Scalar>> = {
  numbers: (index) => index - 3,
  strings: (index) => `v${index}`,
  both: (index) => (index % 2 === 0 ? index : `${index}`),
};

describe.each(Object.entries(ENGINES))('a list of literals in %s', (_, engine) => {
  it.each(Object.entries(KINDS))('contains each of its %s and nothing else', (_kind, valueAt) => {
    for (const length of LENGTHS) {
      const values = Array.from({ length }, (_item, index) => valueAt(index));
      const source = `properties["x"] in [${values.map((value) => JSON.stringify(value)).join(', ')}]`;
      const chain = values.map((value) => `properties["x"] == ${JSON.stringify(value)}`).join(' or ');
      const others = values.map((value) => `properties["x"] != ${JSON.stringify(value)}`).join(' and ');
      const texts = [source, chain, `not (${source})`, others, chain.replaceAll(' or ', ' and ')];
      const isFound = texts.map((text) => engine(text, parse(text), true));
      const expectFound = (x: unknown, found: boolean) =>
        expect(
          isFound.map((run) => run({ properties: { x } })),
          `${x} in ${length}`,
        ).toEqual([found, found, !found, !found, found && length === 1]);
      for (const value of values) expectFound(value, true);
      for (const other of [valueAt(length), length + 0.5, `${length}`, true, null, undefined, [values[0]]])
        if (!values.includes(other as Scalar)) expectFound(other, false);
    }
  });
});

it('a filter set finds every value of a long list', () => {
  for (const length of LENGTHS) {
    const values = Array.from({ length }, (_, index) => index);
    const set = new FilterSet().add('listed', `properties["x"] in [${values.join(', ')}]`);
    expect([...values, length].filter((x) => set.match({ x }).ids.length > 0)).toEqual(values);
  }
});
