import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { FORMS } from '../../../scripts/translation-page.ts';
import { compileWhere } from '../../../src/api/expressions.ts';
import { runs } from '../../runs.ts';
import type { Database } from '../engines/sql/database.ts';
import { openDuckdb } from '../engines/sql/duckdb-database.ts';
import { openPglite } from '../engines/sql/postgresql-databases.ts';
import { CEL } from './originals/cel.ts';
import { EXCEL } from './originals/excel.ts';
import { JAVASCRIPT } from './originals/javascript.ts';
import { JSON_LOGIC } from './originals/json-logic.ts';
import { MONGODB } from './originals/mongodb.ts';
import type { Original } from './originals/original.ts';
import { createSql } from './originals/sql.ts';

const databases: Database[] = [await openDuckdb(), await openPglite()];
afterAll(() => Promise.all(databases.map((database) => database.close())));

const ORIGINALS: readonly Original[] = [
  await createSql('SQL in DuckDB', databases[0] as Database),
  await createSql('SQL in PostgreSQL', databases[1] as Database),
  CEL,
  JAVASCRIPT,
  JSON_LOGIC,
  MONGODB,
  EXCEL,
];

/** Compares a translation with its original, on the records for which its notes are right. Returns how many answers. */
async function compareWithOriginal(
  source: string,
  { translate, records, assumptions, read }: Original,
): Promise<number> {
  const translation = translate(source);
  if ('reason' in translation) return 0;
  const { expression, notes } = translation;
  const holding = notes.map((text) => assumptions.find(([note]) => note.test(text))?.[1] ?? (() => false));
  const compared = records.filter((record) => holding.every((holds) => holds(record)));
  const selects = compared.length > 0 ? await read(source) : undefined;
  if (selects === undefined) return 0;
  const found = compileWhere(expression);
  const differing = compared.filter((record) => (selects(record) ?? found(record)) !== found(record));
  const shown = { source, expression, notes };
  expect({ ...shown, differing: differing.slice(0, 3) }).toEqual({ ...shown, differing: [] });
  return compared.length;
}

describe.each(ORIGINALS)('$language', (original) => {
  it('selects other records only where a note says so', async () => {
    const numRuns = runs(300, 100);
    let compared = 0;
    const law = fc.asyncProperty(original.filters, async (source) => {
      if ((await compareWithOriginal(source, original)) > 0) compared++;
    });
    await fc.assert(law, { numRuns });
    expect(compared).toBeGreaterThan(numRuns / 20);
  });

  it('selects the same records for the examples of the guide', async () => {
    const language = original.language.replace(/ in .*/, '') as keyof typeof FORMS;
    for (const source of FORMS[language]) await compareWithOriginal(source, original);
  });
});
