import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { check } from '../../../../src/api/core.ts';
import { type SqlSource, splitSql } from '../../../../src/api/sql.ts';
import { parse } from '../../../../src/lang/syntax/parse.ts';
import { print } from '../../../../src/lang/syntax/print.ts';
import { expressions, logical, records, timeZones } from '../../../arbitraries.ts';
import { ENGINES, type Outcome, outcome } from '../../../engines.ts';
import { splitRuns } from '../../../runs.ts';
import type { Database } from './database.ts';
import { openDuckdb } from './duckdb-database.ts';
import { LAYOUTS, toStored } from './layouts.ts';

let database: Database;
beforeAll(async () => {
  database = await openDuckdb();
});
afterAll(() => database.close());

/** Removes users, and properties whose names are not Latin letters, from a source. */
function narrow({ table, properties }: SqlSource): SqlSource {
  const columns = Object.entries(properties.columns ?? {}).filter(([name]) => /^[a-z]+$/.test(name));
  return { table, properties: { columns: Object.fromEntries(columns), rest: { kind: 'elsewhere' } } };
}

it('selects the same records with both parts of a split filter as with the whole filter', async () => {
  const seen = { pushed: 0, both: 0, errors: 0 };
  const filters = fc
    .array(expressions(3), { minLength: 1, maxLength: 4 })
    .map((operands) => (operands.length === 1 ? operands[0] : logical('and', operands)));
  const property = fc.asyncProperty(
    fc.array(filters, { minLength: 30, maxLength: 30 }),
    fc.array(records, { minLength: 40, maxLength: 40 }),
    timeZones,
    async (trees, inputs, timeZone) => {
      const storedInputs = inputs.map((input) => toStored({ ...input, now: 1_000 }, true));
      const source = narrow(await LAYOUTS.columns.create(database, 'split', storedInputs));
      for (const tree of trees) {
        const expression = print(tree ?? expect.unreachable());
        if (!check(expression, { use: 'where' }).ok) continue;
        const { sql, rest } = splitSql(expression, database.dialect, source, { now: 1_000, timeZone });
        if (sql !== undefined) seen.pushed++;
        if (sql !== undefined && rest !== undefined) seen.both++;
        const reference = ENGINES.interpret?.(expression, parse(expression), true, timeZone) ?? expect.unreachable();
        const expected = storedInputs.map((record) => outcome(reference, record));
        const rows = sql
          ? await database.query(
              `SELECT id, ${sql.condition} AS condition, ${sql.error ?? 'NULL'} AS error FROM ${sql.from}`,
              sql.parameters,
            )
          : storedInputs.map((_, id) => ({ id, condition: true, error: null }));
        for (const { id, condition, error } of rows) {
          const record = storedInputs[Number(id)] ?? expect.unreachable();
          const got: Outcome =
            error === null
              ? outcome(() => condition === true && (rest?.(record.properties, record.user) ?? true), record)
              : (sql?.errors[Number(error) - 1] ?? expect.unreachable());
          const whole = expected[Number(id)] ?? expect.unreachable();
          if ('value' in whole) expect(got).toEqual(whole);
          else expect(got).toMatchObject({ operator: whole.operator, found: whole.found });
          if (!('value' in whole)) seen.errors++;
        }
      }
    },
  );
  const { seeded, fresh } = splitRuns(10);
  await fc.assert(property, { ...seeded, endOnFailure: true });
  expect(Math.min(seen.pushed, seen.both, seen.errors)).toBeGreaterThan(5);
  await fc.assert(property, { ...fresh, endOnFailure: true });
});
