import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/api/expressions.ts';
import { FileLines } from '../../src/cli/api/file-lines.ts';
import { readFileRecords } from '../../src/cli/api/file-records.ts';
import { TableApi } from '../../src/cli/api/table-api.ts';
import { toEventRecord } from '../../src/data/event-record.ts';
import { RecordColumns } from '../../src/web/events/record-columns.ts';
import { runQuery } from '../../src/web/events/run-query.ts';
import { HAS_REAL_DATA, type KnownAnswer, REAL_DATA, realLines } from '../real-data.ts';
import { testIo } from './test-io.ts';

const known = realLines<KnownAnswer>('expected.ndjson');
const DATASETS = [...new Set(known.map(({ dataset }) => dataset))];

/** All days of the files. */
const DATES = { from_date: '2010-01-01', to_date: '2029-12-31' };

const PEOPLE = 'congress';

describe.skipIf(!HAS_REAL_DATA)('the answers that two other tools agree on', () => {
  it.each(DATASETS.filter((dataset) => dataset !== PEOPLE))(
    'are those of commands over the file %s',
    async (dataset) => {
      const cases = known.filter((each) => each.dataset === dataset && each.event !== null);
      const reads = cases.flatMap(({ expr, where = 'true' }) =>
        [expr, where].flatMap((text) => check(text).properties),
      );
      const lines = new FileLines(testIo(), [join(REAL_DATA, `${dataset}.ndjson.gz`)], {});
      const records = await readFileRecords(lines, reads, Number.POSITIVE_INFINITY);
      const api = new TableApi(records as NonNullable<typeof records>, 'UTC', () => 0);
      for (const { event, expr, kind, where, expected } of cases) {
        const filters = kind === 'where' ? { where: expr } : { on: expr, ...(where !== undefined && { where }) };
        const parameters = { event: event as string, unit: 'month', limit: '10000', ...DATES, ...filters };
        const { data } = JSON.parse(await api.query('/segmentation', parameters));
        const counts = new Map(
          Object.entries<Record<string, number>>(data.values).map(([name, values]) => {
            return [name, Object.values(values).reduce((sum, count) => sum + count, 0)];
          }),
        );
        const wanted = kind === 'where' ? [[event, expected] as const] : (expected as Exclude<typeof expected, number>);
        expect([expr, wanted.map(([name]) => [name, counts.get(String(name))])]).toEqual([expr, wanted]);
      }
      expect(cases).not.toEqual([]);
    },
  );

  it.each(DATASETS)('are those of the page over the file %s', (dataset) => {
    const records = realLines<object>(`${dataset}.ndjson.gz`).flatMap((json, index) => {
      return toEventRecord(json, () => '', index + 1) ?? [];
    });
    const columns = new RecordColumns();
    for (const record of records) columns.add(record);
    const cases = known.filter((each) => each.dataset === dataset);
    for (const { event, expr, kind, where, expected, expected_unique } of cases) {
      const ofEvent = event === null ? 'true' : `properties["$event"] == ${JSON.stringify(event)}`;
      const filter = [ofEvent, kind === 'where' ? expr : (where ?? 'true')].map((text) => `(${text})`).join(' and ');
      const on = kind === 'on' ? expr : '';
      const query = { where: filter, on, unit: 'month', unique: false, now: 0, timeZone: 'UTC' } as const;
      const { result } = runQuery(columns, query);
      if (kind === 'where') expect([expr, result.matching, result.users]).toEqual([expr, expected, expected_unique]);
      else
        for (const [value, amount] of expected as readonly (readonly [unknown, number])[])
          expect([expr, value, result.segments?.totals.get(String(value))]).toEqual([expr, value, amount]);
    }
    expect(cases).not.toEqual([]);
  });
});
