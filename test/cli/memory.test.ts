import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { scan } from '../../src/cli/scan.ts';
import { CensusCollector } from '../../src/cli/workers/census-collector.ts';
import { RecordCensus } from '../../src/cli/workers/record-census.ts';
import { type EventRecord, toEventRecord } from '../../src/data/event-record.ts';
import { SAMPLE_RECORDS } from '../../src/data/peek-records.ts';
import { collectGarbage } from '../collect-garbage.ts';
import { testIo } from './test-io.ts';

function measureHeld(): number {
  collectGarbage();
  // V8 frees buffers in another thread, which the next collection waits for.
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it('a census does not keep long values in memory for their examples', () => {
  const census = new RecordCensus(true);
  const collector = new CensusCollector(true);
  const before = measureHeld();
  for (let index = 0; index < 64; index++) {
    const properties = { [`p${index}`]: index + 'x'.repeat(2 ** 20) };
    collector.add(toEventRecord({ properties }, () => '', 1) as EventRecord);
    census.merge(collector.take());
  }
  expect(measureHeld() - before).toBeLessThan(2 ** 23);
  expect(census.properties.size).toBe(64);
});

it('a scan does not keep the first records in memory', async () => {
  function* lines() {
    for (let index = 0; index < SAMPLE_RECORDS + 8; index++) {
      yield Buffer.from(`{"event":"e","properties":{"text":"${index}${'x'.repeat(2 ** 17)}"}}\n`);
    }
  }
  const before = measureHeld();
  let [parts, held] = [0, 0];
  const part = () => {
    if (++parts === SAMPLE_RECORDS + 4) held = measureHeld() - before;
  };
  const io = testIo({ in: Readable.from(lines()) });
  const threads = { workers: 0, after: 0, entry: new URL('file:///none') };
  const { records } = await scan(io, [], { kind: 'describe', countsValues: true, now: 0 }, { part }, { threads });
  expect(records).toBe(SAMPLE_RECORDS + 8);
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(2 ** 23);
});
