import { type CliResult, runCli } from './run-cli.ts';

/** Runs `onwhere query`. */
export function runQuery(args: readonly string[]): Promise<CliResult> {
  return runCli(['query', ...args]);
}
