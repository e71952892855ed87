import { Random } from '../../src/data/random.ts';
import type { RecordKind } from '../../src/service/store/store.ts';
import type { Client } from '../end-to-end/client.ts';

const MAX_RECORDS = 60;

const PEOPLE = 20;

/** The day of all events, and its first second. */
export const DAY = '2025-06-01';
const FIRST_SECOND = Date.parse(DAY) / 1000;

/** The kinds of batches. Batch `n` has the kind `n % 4`. */
const KINDS = ['events with ids', 'events', 'unions', 'additions'] as const;

function kindOf(batch: number): (typeof KINDS)[number] {
  return KINDS[batch % KINDS.length] as (typeof KINDS)[number];
}

/**
 * Returns whether a batch that was not acknowledged may be sent again, because storing it twice has the same result.
 */
export function isRepeatable(batch: number): boolean {
  return kindOf(batch) === 'events with ids' || kindOf(batch) === 'unions';
}

export function isOfPeople(batch: number): boolean {
  return kindOf(batch) === 'unions' || kindOf(batch) === 'additions';
}

export function recordKindOf(batch: number): RecordKind {
  return isOfPeople(batch) ? 'people' : 'events';
}

/** Returns the number of records of a batch. */
export function sizeOf(batch: number): number {
  return new Random(batch).integer(1, MAX_RECORDS);
}

/** Returns the records of a batch. Each contains the number of the batch and its index in it. */
export function recordsOf(batch: number, client: Client): object[] {
  return Array.from({ length: sizeOf(batch) }, (_, index) => recordOf(batch, index, client));
}

function recordOf(batch: number, index: number, client: Client): object {
  const place = `${batch}/${index}`;
  const person = `person ${index % PEOPLE}`;
  const event = { distinct_id: person, time: FIRST_SECOND + index, batch, index, text: 'x'.repeat(index) };
  switch (kindOf(batch)) {
    case 'events with ids':
      return client.event({ ...event, $insert_id: place });
    case 'events':
      return client.event(event);
    case 'unions':
      return client.person(person, { $union: { united: [place] } });
    case 'additions':
      return client.person(person, { $append: { appended: place }, $add: { total: 1 } });
  }
}
