import { vi } from 'vitest';
import { describeFailure } from '../../src/cli/describe-failure.ts';
import { buildProgram } from '../../src/cli/program.ts';
import type { CliResult } from './run-cli.ts';

/** Runs `query` in this process. */
export function runQuery(args: readonly string[]): Promise<CliResult> {
  return runHere(['query', ...args]);
}

/** Runs the command line in this process, which takes a fraction of the time; for files that no other threads are called for. */
export async function runHere(args: readonly string[]): Promise<CliResult> {
  let [out, err] = ['', ''];
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += text;
      return true;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      err += text;
      return true;
    }),
  ];
  let code = 0;
  try {
    await buildProgram(() => undefined).parseAsync([...args], { from: 'user' });
  } catch (error) {
    const failure = describeFailure(error, process.stderr);
    code = failure.code;
    if (failure.text !== undefined) err += `${failure.text}\n`;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { code, out, err };
}
