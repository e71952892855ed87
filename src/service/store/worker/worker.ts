import { writeFile } from 'node:fs/promises';
import { DuckDbStore } from '../duckdb/duck-db-store.ts';
import { type FromWorker, sendError, type ToWorker } from './messages.ts';
import { ServedCalls } from './served-calls.ts';

/** The entry of the process that runs DuckDB. It serves the calls of its parent process and ends with it. */
const [options = ''] = process.argv.slice(2);

const send = (message: FromWorker) => void process.send?.(message, () => undefined);
const end = () => process.kill(process.pid, 'SIGKILL');

process.on('disconnect', end);
if (!process.connected) end();
// A terminal or service manager sends these to all processes at once. The parent process decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

try {
  // If memory runs out, Linux kills this process rather than the one that serves requests.
  await writeFile('/proc/self/oom_score_adj', '500').catch(() => undefined);
  const calls = new ServedCalls(await DuckDbStore.open(JSON.parse(options)), send);
  process.on('message', (message) => calls.handle(message as ToWorker));
  send({ ready: true });
} catch (error) {
  send({ failed: sendError(error) });
}
