import { describe, expect, it } from 'vitest';
import { duckdb, toSql } from '../../../src/api/sql.ts';
import { parse } from '../../../src/lang/syntax/parse.ts';
import { collectGarbage } from '../../collect-garbage.ts';
import { ENGINES } from '../../engines.ts';

describe('after compiling a long name', () => {
  const NAMES = 150;
  const LENGTH = 60_000;

  const names = (letter: string) => Array.from({ length: NAMES }, (_, index) => `${letter.repeat(LENGTH)}${index}`);
  const source = (name: string) => `properties["${name}"] == 1`;

  const compilers: Record<string, (name: string) => unknown> = {
    ...Object.fromEntries(
      Object.entries(ENGINES).map(([name, prepare]) => [
        name,
        (property: string) => prepare(source(property), parse(source(property)), false)({ properties: {} }),
      ]),
    ),
    toSql: (property) =>
      toSql(source(property), duckdb, { table: 't', properties: { rest: { kind: 'json', column: 'properties' } } }),
  };

  it.each(Object.keys(compilers))('its characters are not kept: %s', (name) => {
    // The first round fills the cache of codegen, which holds up to 4,000,000 characters.
    for (const property of names('a')) compilers[name]?.(property);
    collectGarbage();
    const previous = process.memoryUsage().heapUsed;
    for (const property of names('b')) compilers[name]?.(property);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - previous).toBeLessThan((NAMES * LENGTH) / 4);
  });
});
