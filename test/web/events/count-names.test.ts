import { expect, it } from 'vitest';
import type { EventRecord } from '../../../src/data/event-record.ts';
import { countNames } from '../../../src/web/events/count-names.ts';

it('counts the names of properties, most frequent first, and the name of events', () => {
  const records = [{ a: 1 }, { a: null, b: 1 }, { b: {}, $event: 'own' }, { b: 2 }].map((properties, index) => {
    return { properties, event: index === 3 ? undefined : 'view' } as unknown as EventRecord;
  });
  expect(countNames(records, 'properties')).toEqual([
    { name: '$event', count: 3 },
    { name: 'b', count: 3 },
    { name: 'a', count: 2 },
  ]);
  expect(countNames(records, 'user')).toEqual([]);
});
