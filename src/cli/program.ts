import { Command, InvalidArgumentError, Option } from 'commander';
import { version } from '../../package.json';
import { escapeUnprintable } from '../lang/util/strings.ts';
import { addDataCommands } from './data-commands.ts';
import { addExpressionCommands } from './expression-commands.ts';
import type { Io } from './io.ts';
import { addQueryCommands } from './query-commands.ts';
import { addServiceCommands } from './service-commands.ts';

const AFTER_HELP = `
Files: NDJSON, a JSON array or CSV, gzipped or not. Without files, commands read standard input.
\`onwhere query\` also reads Parquet and .duckdb files, \`onwhere import\` also Parquet.
Events look like {"event": …, "properties": {"distinct_id": …, "time": …}},
people like {"$distinct_id": …, "$properties": {…}}. Any other object is read as properties.

Exit codes:
  0    success
  1    the expression is invalid or failed on a record
  2    wrong usage
  3    a file cannot be read, --strict found a broken record, or a server does not respond
  70   internal error
  130  interrupted`;

/**
 * Builds the command line. Loads the code of a command when the command runs.
 *
 * @param exit Receives the exit code of a command that returns one.
 * @throws {CommanderError} from `parseAsync`, instead of ending the process.
 */
export function buildProgram(io: Io, exit: (code: number) => void): Command {
  const { out, err } = io;
  // Commands that are added below inherit both.
  const program = new Command('onwhere')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text.split('\n').map(escapeUnprintable).join('\n')),
      getOutHelpWidth: () => out.columns,
      getErrHelpWidth: () => err.columns,
      getOutHasColors: () => out.hasColours,
      getErrHasColors: () => err.hasColours,
    })
    .description('Filter, count and segment event files with segmentation expressions.')
    .version(version)
    .addHelpText('after', AFTER_HELP)
    // Options after a command belong to that command.
    .enablePositionalOptions()
    .showHelpAfterError('Run with --help for usage.');
  addDataCommands(program, io);
  addExpressionCommands(program, io, exit);
  program
    .command('repl')
    .description('evaluate expressions interactively on the events of a file; type .help for commands')
    .argument('[file]', 'an event file')
    .option('--schema <file>', 'a schema of the properties, as for check (default: inferred from the events)')
    .action(async (file, options) => exit(await (await import('./commands/repl.ts')).runRepl(io, file, options)));
  program
    .command('lsp')
    .description('start the language server: diagnostics, completion, hover, formatting and fixes')
    .option('--stdio', 'use standard input and output (the default)')
    .action(async () => (await import('./commands/lsp.ts')).runLsp(io));
  program
    .command('play')
    .description('serve the playground: try expressions in a browser, on a file or on sample events')
    .argument('[file]', 'an event file')
    .addOption(new Option('--port <port>', 'the port to listen on').default(0, 'any free port').argParser(parsePort))
    .action(async (file, options) => (await import('./commands/play.ts')).runPlay(io, file, options));
  addServiceCommands(program, io, exit);
  addQueryCommands(program, io);
  program
    .command('demo')
    .description('write sample events to shop.ndjson, segment them and suggest commands to try')
    .action(async () => (await import('./commands/demo.ts')).runDemo(io));
  return program;
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Expected a port from 0 to 65535.');
}
