import { describe, expect, it } from 'vitest';
import {
  compileBatchOn,
  compileBatchWhere,
  compileOn,
  compileWhere,
  createBatchFromRecords,
} from '../../../src/api/index.ts';
import type { Properties } from '../../../src/lang/value.ts';
import { HAS_REAL_DATA, realLines } from '../../real-data.ts';

type Line = { readonly properties?: Properties; readonly $properties?: Properties };
type Query = { readonly dataset: string; readonly kind: 'where' | 'on'; readonly expr: string };

const queries = realLines<Query>('expected.ndjson');
const datasets = [...new Set(queries.map(({ dataset }) => dataset))];

describe.skipIf(!HAS_REAL_DATA)('a batch of real data', () => {
  describe.each(datasets)('%s', (dataset) => {
    const records = realLines<Line>(`${dataset}.ndjson.gz`).map(({ properties, $properties }) => {
      return { properties: properties ?? $properties ?? {} };
    });
    const batch = createBatchFromRecords(records);
    const datasetQueries = queries.filter((query) => query.dataset === dataset);

    it.each(datasetQueries.filter(({ kind }) => kind === 'where'))('selects the rows of $expr', ({ expr }) => {
      const where = compileWhere(expr);
      const expected = records.flatMap(({ properties }, row) => (where(properties) ? [row] : []));
      expect([...compileBatchWhere(expr)(batch)]).toEqual(expected);
    });

    it.each(datasetQueries.filter(({ kind }) => kind === 'on'))('counts the segments of $expr', ({ expr }) => {
      const on = compileOn(expr);
      const expected = new Map<string, number>();
      for (const { properties } of records) {
        for (const name of on(properties)) expected.set(name, (expected.get(name) ?? 0) + 1);
      }
      expect([...compileBatchOn(expr)(batch).counts]).toEqual([...expected]);
    });
  });
});
