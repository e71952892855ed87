import { expect, it } from 'vitest';
import { toEventRecord } from '../../src/data/event-record.ts';

const read = (json: unknown) => toEventRecord(json, () => '', 1);

it.each([
  [{ distinct_id: 'a', $distinct_id: 'b' }, 'a'],
  [{ $distinct_id: 'b' }, 'b'],
  [{ distinct_id: null, $distinct_id: 'b' }, 'b'],
  [{ distinct_id: '', $distinct_id: 'b' }, ''],
])('toEventRecord reads the user id of %j as %j', (json, id) => {
  expect(read(json)?.distinctId).toBe(id);
});
