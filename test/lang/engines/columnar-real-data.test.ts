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
type Question = { readonly dataset: string; readonly kind: 'where' | 'on'; readonly expr: string };

const questions = realLines<Question>('expected.ndjson');
const datasets = [...new Set(questions.map(({ dataset }) => dataset))];

describe.skipIf(!HAS_REAL_DATA)('real data in columns', () => {
  describe.each(datasets)('%s', (dataset) => {
    const records = realLines<Line>(`${dataset}.ndjson.gz`).map(({ properties, $properties }) => {
      return { properties: properties ?? $properties ?? {} };
    });
    const batch = createBatchFromRecords(records);
    const asked = questions.filter((question) => question.dataset === dataset);

    it.each(asked.filter(({ kind }) => kind === 'where'))('has the rows of $expr', ({ expr }) => {
      const where = compileWhere(expr);
      const expected = records.flatMap(({ properties }, row) => (where(properties) ? [row] : []));
      expect([...compileBatchWhere(expr)(batch)]).toEqual(expected);
    });

    it.each(asked.filter(({ kind }) => kind === 'on'))('has the segments of $expr', ({ expr }) => {
      const on = compileOn(expr);
      const expected = new Map<string, number>();
      for (const { properties } of records) {
        for (const name of on(properties)) expected.set(name, (expected.get(name) ?? 0) + 1);
      }
      expect([...compileBatchOn(expr)(batch).counts]).toEqual([...expected]);
    });
  });
});
