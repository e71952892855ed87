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
    // Only the other commands end at once.
    process.removeAllListeners('SIGINT');
    return new Promise((resolve) => {
      let asked = false;
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.on(signal, () => {
          if (asked) process.exit(EXIT.interrupted);
          asked = true;
          resolve();
        });
      }
    });
  },
  onContinue: (listener) => subscribe('SIGCONT', listener),
  onExit: (listener) => subscribe('exit', listener),
  suspend() {
    // All that belongs to the command, so that a program between here and the shell is suspended too.
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
  // Node.js opens standard input when it is first asked for, which commands over files never do.
  get in() {
    return process.stdin;
  },
  out: new OutputStream(process.stdout, process.env),
  err: new OutputStream(process.stderr, process.env),
  env: process.env,
  signals,
  get command() {
    const script = relative(process.cwd(), process.argv[1] ?? '');
    return /^dist[\\/]cli\.js$/.test(script) ? `node ${script}` : 'onwhere';
  },
  spareThreads: availableParallelism() - 1,
  makeFilesPrivate: () => void process.umask(0o077),
  now: Date.now,
  exit: (code) => process.exit(code),
};

// Whoever reads the output may stop before its end (`onwhere filter … | head`); that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  printMessage(io, 'error', `the output cannot be written: ${error.message}`);
  process.exit(EXIT.data);
});
// Where nobody listens to warnings, the answer still counts.
process.stderr.on('error', () => undefined);
process.on('SIGINT', () => {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  process.exit(EXIT.interrupted);
});

process.exitCode = await runCli(process.argv.slice(2), io);
