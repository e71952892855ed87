import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { EXIT } from './exit.ts';
import type { Io, Signals } from './io.ts';
import { OutputStream } from './terminal/output-stream.ts';

/** Returns the I/O of a process, or of a thread of one. */
export function createIo(host: NodeJS.Process): Io {
  return {
    // A getter: Node.js opens standard input on first use, and commands over files never use it.
    get in() {
      return host.stdin;
    },
    out: new OutputStream(host.stdout, host.env),
    err: new OutputStream(host.stderr, host.env),
    env: host.env,
    signals: createSignals(host),
    get command() {
      const script = relative(host.cwd(), host.argv[1] ?? '');
      return /^dist[\\/]cli[\\/]main\.js$/.test(script) ? `node ${script}` : 'onwhere';
    },
    spareThreads: availableParallelism() - 1,
    largeCsv: 2 ** 25,
    makeFilesPrivate: () => void host.umask(0o077),
    now: Date.now,
    exit: (code) => host.exit(code),
  };
}

function createSignals(host: NodeJS.Process): Signals {
  return {
    stopRequested() {
      // Only commands that do not wait for a stop request end on the first SIGINT.
      host.removeAllListeners('SIGINT');
      return new Promise((resolve) => {
        let isStopping = false;
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          host.on(signal, () => {
            if (isStopping) host.exit(EXIT.interrupted);
            isStopping = true;
            resolve();
          });
        }
      });
    },
    onContinue: (listener) => subscribe(host, 'SIGCONT', listener),
    onExit: (listener) => subscribe(host, 'exit', listener),
    suspend() {
      // Suspends the process group, so that a program between this one and the shell, such as npx, is suspended too.
      host.kill(0, 'SIGTSTP');
    },
    interrupt() {
      host.removeAllListeners('SIGINT');
      host.kill(host.pid, 'SIGINT');
    },
  };
}

function subscribe(host: NodeJS.Process, event: 'SIGCONT' | 'exit', listener: () => void): () => void {
  host.on(event, listener);
  return () => host.off(event, listener);
}
