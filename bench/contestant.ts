import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job, Reply } from './message.ts';
import type { Round } from './tasks/task.ts';

const CHILD = fileURLToPath(new URL('.build/child.js', import.meta.url));

/** The maximum time in milliseconds for a reply of a child. */
const TIMEOUT_MS = 30_000;

/** The reason why an engine has no results: `n/a` if it cannot express the filter, otherwise how it failed. */
export class Failure extends Error {}

/**
 * Runs one engine on one case in its own process. V8 applies to one engine what it has learned from another: all in one
 * process, the filter P1 by hand took 32 ns instead of 3, and vega-expression 12 instead of 3. A separate process can
 * also be killed if a peer hangs.
 */
export class Contestant {
  private readonly child: ChildProcess;

  constructor(job: Job) {
    this.child = fork(CHILD, [JSON.stringify(job)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }

  /** Returns the indexes of the events that the engine selects, if the task reports them. */
  async ready(): Promise<Uint32Array | undefined> {
    const reply = await this.reply();
    return reply.kind === 'ready' ? reply.rows : undefined;
  }

  async round(): Promise<Round> {
    this.child.send('round');
    const reply = await this.reply();
    return reply.kind === 'round' ? reply.round : {};
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  private reply(): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const settle = (failure: string | undefined, reply?: Reply) => {
        clearTimeout(timer);
        this.child.removeAllListeners();
        if (reply !== undefined && failure === undefined) resolve(reply);
        else reject(new Failure(failure));
      };
      const timer = setTimeout(() => settle(`> ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
      this.child.once('message', (reply: Reply) => settle(reply.kind === 'failed' ? reply.failure : undefined, reply));
      this.child.once('exit', (code, signal) => settle(`crash (${signal ?? code})`));
      this.child.once('error', ({ message }) => settle(message));
    });
  }
}
