import { Command, InvalidArgumentError, Option } from 'commander';
import { version } from '../../package.json';
import { escapeUnprintable } from '../lang/util/strings.ts';
import { addDataCommands } from './data-commands.ts';
import { addExpressionCommands } from './expression-commands.ts';
import type { Io } from './io.ts';
import { addQueryCommands } from './query-commands.ts';
import { addServiceCommands } from './service-commands.ts';

const AFTER_HELP = `
Files hold events as NDJSON, a JSON array or CSV, gzipped or not; without files, standard input is read.
An event is {"event": …, "properties": {"distinct_id": …, "time": …}}, a person {"$distinct_id": …, "$properties": {…}};
any other object is its own properties. With query, files are also Parquet or .duckdb, with import also Parquet.

Exit codes: 0 done · 1 the expression is wrong, or failed on a record · 2 wrong usage · 3 a file cannot be read, or is
broken with --strict, or a server does not answer · 70 a mistake of this program · 130 interrupted.`;

/**
 * Returns the command line. `exit` gets a command's exit code where it is not 0, and what commander ends with is
 * thrown. Each command is loaded when it is called.
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
    // An option behind a command is that command's own.
    .enablePositionalOptions()
    .showHelpAfterError('(--help says more)');
  addDataCommands(program, io);
  addExpressionCommands(program, io, exit);
  program
    .command('repl')
    .description('try expressions on the events of a file, one by one; inside, .help lists the commands')
    .argument('[file]', 'an event file')
    .option('--schema <file>', 'the properties that there are, as check takes them; without it, those of the events')
    .action(async (file, options) => exit(await (await import('./commands/repl.ts')).runRepl(io, file, options)));
  program
    .command('lsp')
    .description('serve an editor: diagnostics, completion, hover, formatting and fixes')
    .option('--stdio', 'over standard input and output, as it does anyway')
    .action(async () => (await import('./commands/lsp.ts')).runLsp(io));
  program
    .command('play')
    .description('open the playground: a page to try expressions on the events of a file, or on sample events')
    .argument('[file]', 'an event file')
    .addOption(new Option('--port <port>', 'where to serve it').default(0, 'any that is free').argParser(toPort))
    .action(async (file, options) => (await import('./commands/play.ts')).runPlay(io, file, options));
  addServiceCommands(program, io, exit);
  addQueryCommands(program, io);
  program
    .command('demo')
    .description('write sample events to shop.ndjson, segment them and say what to try next')
    .action(async () => (await import('./commands/demo.ts')).runDemo(io));
  return program;
}

function toPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It takes a number up to 65535.');
}
