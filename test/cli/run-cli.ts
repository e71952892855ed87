import { Readable } from 'node:stream';
import { runCli as run } from '../../src/cli/run-cli.ts';
import { OutputStream } from '../../src/cli/terminal/output-stream.ts';
import { testIo, Written } from './test-io.ts';

/** The output of a command and its exit code, which is null if a signal ended it. */
export interface CliResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CliOptions {
  /** The standard input. */
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** The size of CSV files from which DuckDB counts them: by default, none. */
  readonly largeCsv?: number;
}

/** Runs the command line in this process, on the sources, until it exits. */
export async function runCli(
  args: readonly string[],
  { input = '', env = {}, largeCsv = Number.POSITIVE_INFINITY }: CliOptions = {},
): Promise<CliResult> {
  const [out, err] = [new Written(), new Written()];
  const io = testIo({
    in: Readable.from([Buffer.from(input)]),
    out: new OutputStream(out, env),
    err: new OutputStream(err, env),
    env,
    largeCsv,
  });
  const code = await run(args, io);
  return { code, out: out.text, err: err.text };
}
