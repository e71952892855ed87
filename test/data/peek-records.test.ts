import { expect, it } from 'vitest';
import { type EventRecord, toEventRecord } from '../../src/data/event-record.ts';
import { peekRecords, SAMPLE_RECORDS } from '../../src/data/peek-records.ts';

/** Counts how many of 300 parts with a record of this length are read before any is used. */
async function countHeld(length: number): Promise<{ read: number; records: number; all: number }> {
  const text = 'x'.repeat(length);
  let read = 0;
  async function* parts() {
    for (; read < 300; read++) yield toEventRecord({ properties: {} }, () => text, read + 1) as EventRecord;
  }
  const { records, all } = await peekRecords(parts(), (record) => [record]);
  const held = read + 1;
  let count = 0;
  for await (const _ of all()) count++;
  return { read: held, records: records.length, all: count };
}

it('reads the first records of a file, and fewer if they are long', async () => {
  expect(await countHeld(10)).toEqual({ read: SAMPLE_RECORDS, records: SAMPLE_RECORDS, all: 300 });
  // A record may have 64 MiB.
  expect(await countHeld(2 ** 26)).toEqual({ read: 1, records: 1, all: 300 });
  expect(await countHeld(2 ** 23)).toEqual({ read: 5, records: 5, all: 300 });
});
