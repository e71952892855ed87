import { findCase } from './cases/cases.ts';
import { Inexpressible } from './dialect.ts';
import { findEngine } from './engines/engines.ts';
import type { Job, Reply } from './message.ts';
import type { Round } from './tasks/task.ts';
import { TASKS } from './tasks/tasks.ts';

// The child process of `contestant.ts`: prepares one engine for one case, and then measures a round per message.

const job: Job = JSON.parse(process.argv[2] ?? '');

function send(reply: Reply): void {
  process.send?.(reply);
}

/** Describes an error in a few words, without its source. */
function describeFailure(error: unknown): string {
  if (error instanceof Inexpressible) return 'n/a';
  if (error instanceof RangeError && /call stack/.test(error.message)) return 'stack overflow';
  const { name, code } = error as { name?: string; code?: string };
  return String(code ?? name ?? error);
}

async function start(): Promise<void> {
  const { rows, round } = await TASKS[job.task](findEngine(job.engine), findCase(job.case));
  process.on('message', () => void runRound(round));
  send({ kind: 'ready', rows });
}

async function runRound(round: () => Round | Promise<Round>): Promise<void> {
  send({ kind: 'round', round: await round() });
}

start().catch((error: unknown) => {
  send({ kind: 'failed', failure: describeFailure(error) });
  process.disconnect?.();
});
