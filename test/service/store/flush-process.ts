import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import type { RecordKind } from '../../../src/service/store/store.ts';

/**
 * Flushes the files of a version one by one, including those flushed before, and prints a line after each. Promotes
 * properties after each.
 */
const [work = ''] = process.argv.slice(2);
const { version, files, temporaryFolder } = JSON.parse(work);
const store = await DuckDbStore.open({ temporaryFolder });
process.stdout.write('open\n');
for (const { kind, file } of files as { kind: RecordKind; file: never }[]) {
  await store.flush(version, kind, [file]);
  process.stdout.write('flushed\n');
  while (await store.promote(version));
}
await store.close();
