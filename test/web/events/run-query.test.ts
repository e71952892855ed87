import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileOn, compileWhere } from '../../../src/api/expressions.ts';
import { type EventRecord, toEventRecord } from '../../../src/data/event-record.ts';
import { createFieldReader } from '../../../src/data/field-mapping.ts';
import { Segmentation } from '../../../src/data/segmentation.ts';
import { ExpressionTypeError } from '../../../src/lang/errors.ts';
import { findTimeZone } from '../../../src/lang/operators/time-zone.ts';
import type { EventsQuery } from '../../../src/web/events/messages.ts';
import { RecordColumns } from '../../../src/web/events/record-columns.ts';
import { runQuery } from '../../../src/web/events/run-query.ts';
import { runs } from '../../runs.ts';

const START = Date.parse('2025-10-25T22:00:00Z') / 1000;

const value = fc.constantFrom<unknown>(1, 2.5, '3', null, true, 'a', ['a', 1], [], { a: 1 });

const record = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      event: fc.constantFrom('view', 'buy'),
      properties: fc.record(
        {
          distinct_id: fc.constantFrom('ada', 'bob', 7),
          // Clocks go back in Berlin.
          time: fc.integer({ min: 0, max: 12 }).map((half) => START + half * 1800),
          a: value,
          b: value,
          $event: fc.constant('own'),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ $distinct_id: fc.constantFrom('ada', 'eve'), $properties: fc.record({ a: value }) }),
  },
);

const query = fc.record<EventsQuery>({
  where: fc.constantFrom(
    '',
    'properties["a"] == 1',
    'properties["a"] and properties["b"]',
    'properties["$event"] == "view"',
    'user["a"] == 1',
  ),
  on: fc.constantFrom('', 'properties["b"]', 'properties["a"] + 1', 'properties["$event"]', 'properties["b"] and true'),
  unit: fc.constantFrom('hour', 'day', 'week', 'month'),
  unique: fc.boolean(),
  now: fc.constant(START),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin'),
});

it('selects and counts as the engine for single records', () => {
  const counts = { where: 0, on: 0, segments: 0 };
  fc.assert(
    fc.property(fc.array(record, { maxLength: 30 }), query, (written, asked) => {
      const records = written.flatMap((json, index) => toEventRecord(json, () => '', index + 1) ?? []);
      const columns = new RecordColumns();
      for (const each of records) columns.add(each);
      const { result, matching, others } = runQuery(columns, asked);
      const expected = runByRecord(records, asked);
      expect({ ...result, matching: [...matching], others: [...others] }).toEqual(expected);
      if (result.failure !== undefined) counts[result.failure.part]++;
      counts.segments += Number((result.segments?.totals.size ?? 0) > 0);
    }),
    { numRuns: runs(2000, 400) },
  );
  expect(Object.values(counts).every((count) => count > 0)).toBe(true);
});

/** Evaluates one record after the other. */
function runByRecord(records: readonly EventRecord[], asked: EventsQuery) {
  const options = { now: asked.now, timeZone: asked.timeZone };
  const [where, on] = [asked.where || 'true', asked.on || '0'];
  const [selects, listNames] = [compileWhere(where, options), compileOn(on, options)];
  const zone = findTimeZone(asked.timeZone);
  const [byEvents, byUsers] = [new Segmentation(false, undefined), new Segmentation(true, undefined)];
  const overTime = new Segmentation(asked.unique, asked.unit, zone);
  const [matching, others]: [number[], number[]] = [[], []];
  const missing = { time: 0, distinct_id: 0 };
  const users = new Set<string>();
  let failure: object | undefined;
  for (const [index, record] of records.map(createFieldReader({ withEvent: true })).entries()) {
    let part = 'where';
    try {
      if (!selects(record.properties, record.user)) {
        others.push(index);
        continue;
      }
      matching.push(index);
      if (record.distinctId !== undefined) users.add(record.distinctId);
      part = 'on';
      const names = listNames(record.properties, record.user);
      byEvents.add(names, record);
      if (byUsers.add(names, record) !== undefined) missing.distinct_id++;
      if (overTime.add(names, record) === 'time') missing.time++;
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      const { source, operator, found, span } = error;
      failure = { index, part, source, operator, found, span };
      break;
    }
  }
  const totals = (asked.unique ? byUsers : byEvents).result(60);
  const { series, segments: dated } = overTime.result(60);
  const segments =
    asked.on === '' || failure !== undefined
      ? undefined
      : {
          totals: new Map(totals.segments.map(({ name, count }) => [name, count])),
          others: totals.rest.segments,
          series,
          overTime: new Map(dated.map(({ name, values }) => [name, values])),
          missing,
        };
  return { query: asked, events: records.length, matching, others, users: users.size, segments, failure };
}
