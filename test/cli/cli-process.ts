import { fileURLToPath } from 'node:url';
import { startChild } from '../spawned.ts';
import type { CliResult } from './run-cli.ts';

/** The built command line. */
export const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface ProcessOptions {
  /** The standard input. */
  readonly input?: string | Buffer;
  readonly cwd?: string;
  /** Variables to add to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the built command line in a process until it exits. */
export function runProcess(args: readonly string[], { input = '', cwd, env }: ProcessOptions = {}): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = startChild(process.execPath, [PROGRAM, ...args], { cwd, env: { ...process.env, ...env } });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    // A command that does not read its input may end before it is written.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
