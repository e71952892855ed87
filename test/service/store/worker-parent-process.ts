import { dirname, join } from 'node:path';
import { eventLine, writeLogFile } from './log-files.ts';
import { openWorkerStore } from './open-worker-store.ts';

/** Opens a store with a long query, until it is killed. With a folder, the version `v` in it has ten events. */
const [temporaryFolder = '', onlyFolder] = process.argv.slice(2);
const store = await openWorkerStore({ temporaryFolder, ...(onlyFolder !== undefined && { onlyFolder }) });
if (onlyFolder !== undefined) {
  const events = Array.from({ length: 10 }, (_, n) => eventLine('a', { distinct_id: 'u', time: n + 1 }));
  const file = await writeLogFile(join(dirname(temporaryFolder), 'log'), '1', [events]);
  await store.flush({ id: 'v', folder: join(onlyFolder, 'v') }, 'events', [file]);
}
store
  .read([], ({ rows }) => rows('SELECT count(*) AS n FROM range(1000000000) AS a (i), range(1000) AS b (j)', []))
  .catch(() => undefined);
process.stdout.write('open\n');
