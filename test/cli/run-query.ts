import { type CliResult, runCli } from './run-cli.ts';

/** Runs a command that counts CSV files of any size with DuckDB. */
export function runQuery(args: readonly string[]): Promise<CliResult> {
  return runCli(args, { largeCsv: 0 });
}
