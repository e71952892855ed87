import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built command line to its end. */
export function runCli(
  args: readonly string[],
  { input = '', cwd }: { input?: string | Buffer; cwd?: string } = {},
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], cwd === undefined ? {} : { cwd });
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
