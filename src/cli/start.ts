import { createIo } from './create-io.ts';
import { EXIT } from './exit.ts';
import { printMessage } from './messages.ts';
import { runCli } from './run-cli.ts';

/** Runs the command line in a process, and sets its exit code. */
export async function start(host: NodeJS.Process): Promise<void> {
  const io = createIo(host);
  // The reader may close the pipe early (`onwhere filter … | head`). That is not an error.
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') host.exit(EXIT.ok);
    printMessage(io, 'error', `cannot write the output: ${error.message}`);
    host.exit(EXIT.data);
  });
  // Closing standard error must not stop a command from printing its result.
  host.stderr.on('error', () => undefined);
  host.on('SIGINT', () => {
    if (host.stderr.isTTY) host.stderr.write('\r\x1b[K');
    host.exit(EXIT.interrupted);
  });

  host.exitCode = await runCli(host.argv.slice(2), io);
}
