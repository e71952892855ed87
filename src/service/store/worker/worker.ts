import { writeFile } from 'node:fs/promises';
import { DuckDbStore } from '../duckdb/duck-db-store.ts';
import { type FromWorker, sendError, type ToWorker } from './messages.ts';
import { ServedCalls } from './served-calls.ts';

/** The entry of the process that has DuckDB in it. It does what the process that started it says, and ends with it. */
const [options = ''] = process.argv.slice(2);

const send = (message: FromWorker) => void process.send?.(message, () => undefined);
const end = () => process.kill(process.pid, 'SIGKILL');

process.on('disconnect', end);
if (!process.connected) end();
// These reach all processes of a terminal or a service at once: the one that started this one decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

try {
  // Where memory runs out, Linux ends this process rather than the one that answers requests.
  await writeFile('/proc/self/oom_score_adj', '500').catch(() => undefined);
  const calls = new ServedCalls(await DuckDbStore.open(JSON.parse(options)), send);
  process.on('message', (message) => calls.take(message as ToWorker));
  send({ ready: true });
} catch (error) {
  send({ failed: sendError(error) });
}
