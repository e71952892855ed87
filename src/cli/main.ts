#!/usr/bin/env node
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { EXIT } from './exit.ts';
import type { Io, Signals } from './io.ts';
import { printMessage } from './messages.ts';
import { runCli } from './run-cli.ts';
import { OutputStream } from './terminal/output-stream.ts';

const signals: Signals = {
  stopRequested() {
    // Only commands that do not wait for a stop request end on the first SIGINT.
    process.removeAllListeners('SIGINT');
    return new Promise((resolve) => {
      let isStopping = false;
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.on(signal, () => {
          if (isStopping) process.exit(EXIT.interrupted);
          isStopping = true;
          resolve();
        });
      }
    });
  },
  onContinue: (listener) => subscribe('SIGCONT', listener),
  onExit: (listener) => subscribe('exit', listener),
  suspend() {
    // Suspends the process group, so that a program between this one and the shell, such as npx, is suspended too.
    process.kill(0, 'SIGTSTP');
  },
  interrupt() {
    process.removeAllListeners('SIGINT');
    process.kill(process.pid, 'SIGINT');
  },
};

function subscribe(event: 'SIGCONT' | 'exit', listener: () => void): () => void {
  process.on(event, listener);
  return () => process.off(event, listener);
}

const io: Io = {
  // A getter: Node.js opens standard input on first use, and commands over files never use it.
  get in() {
    return process.stdin;
  },
  out: new OutputStream(process.stdout, process.env),
  err: new OutputStream(process.stderr, process.env),
  env: process.env,
  signals,
  get command() {
    const script = relative(process.cwd(), process.argv[1] ?? '');
    return /^dist[\\/]cli[\\/]main\.js$/.test(script) ? `node ${script}` : 'onwhere';
  },
  spareThreads: availableParallelism() - 1,
  largeCsv: 2 ** 25,
  makeFilesPrivate: () => void process.umask(0o077),
  now: Date.now,
  exit: (code) => process.exit(code),
};

// The reader may close the pipe early (`onwhere filter … | head`). That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  printMessage(io, 'error', `cannot write the output: ${error.message}`);
  process.exit(EXIT.data);
});
// Closing standard error must not stop a command from printing its result.
process.stderr.on('error', () => undefined);
process.on('SIGINT', () => {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  process.exit(EXIT.interrupted);
});

process.exitCode = await runCli(process.argv.slice(2), io);
