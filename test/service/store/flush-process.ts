import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import type { RecordKind } from '../../../src/service/store/store.ts';

/**
 * Flushes the files of a version one by one, including those flushed before, and prints a line after each. Promotes
 * properties and counts events by hour after each.
 */
const [work = ''] = process.argv.slice(2);
const { version, files, temporaryFolder } = JSON.parse(work);
const rollups = { minEvents: 1, minEventsPerRow: 0, part: 1_000 };
const store = await DuckDbStore.open({ temporaryFolder }, rollups);
process.stdout.write('open\n');
for (const { kind, file } of files as { kind: RecordKind; file: never }[]) {
  await store.flush(version, kind, [file]);
  process.stdout.write('flushed\n');
  while (await store.optimize(version));
}
await store.close();
