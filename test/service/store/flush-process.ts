import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import type { RecordKind } from '../../../src/service/store/store.ts';

/** Flushes the segments of a version one by one, including those flushed before, and prints a line after each. */
const [work = ''] = process.argv.slice(2);
const { version, segments, temporaryFolder } = JSON.parse(work);
const store = await DuckDbStore.open({ temporaryFolder });
process.stdout.write('open\n');
for (const { kind, segment } of segments as { kind: RecordKind; segment: never }[]) {
  await store.flush(version, kind, [segment]);
  process.stdout.write('flushed\n');
}
await store.close();
