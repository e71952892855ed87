import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job, Reply } from './message.ts';
import type { Round } from './tasks/task.ts';

const CHILD = fileURLToPath(new URL('.build/child.js', import.meta.url));

/** Milliseconds that a child may take for an answer. */
const PATIENCE = 30_000;

/** Why an engine has no numbers: `n/a` for what it cannot say, otherwise how it broke. */
export class Failure extends Error {}

/**
 * One engine on one case, in a process of its own: what V8 learns from one engine it applies to the next (all in
 * one process, the filter P1 by hand took 32 ns instead of 3, vega-expression 12 instead of 3), and a peer that
 * runs wild can be ended.
 */
export class Contestant {
  private readonly child: ChildProcess;

  constructor(job: Job) {
    this.child = fork(CHILD, [JSON.stringify(job)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }

  /** The places of the events that it selects, where the task asks for them. */
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
      const timer = setTimeout(() => settle(`> ${PATIENCE / 1000} s`), PATIENCE);
      this.child.once('message', (reply: Reply) => settle(reply.kind === 'failed' ? reply.failure : undefined, reply));
      this.child.once('exit', (code, signal) => settle(`crash (${signal ?? code})`));
      this.child.once('error', ({ message }) => settle(message));
    });
  }
}
