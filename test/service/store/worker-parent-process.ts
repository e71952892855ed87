import { openWorkerStore } from './open-worker-store.ts';

/** Opens a store with a long query, until it is killed. */
const [temporaryFolder = ''] = process.argv.slice(2);
const store = await openWorkerStore({ temporaryFolder });
store
  .read([], ({ rows }) => rows('SELECT count(*) AS n FROM range(1000000000) AS a (i), range(1000) AS b (j)', []))
  .catch(() => undefined);
process.stdout.write('open\n');
