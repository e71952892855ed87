import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { version } from '../../package.json';
import { escapeUnprintable } from '../base/strings.ts';
import { USES } from '../lang/check/check.ts';
import { listCommandWords } from './command-names.ts';
import { addDataCommands, isDataCommand, parsePositive } from './data-commands.ts';
import type { Io } from './io.ts';
import { addFieldOptions, addFormatOptions, addMemoryLimit, createTimeZoneOption } from './options.ts';
import { addPlaceOptions, addSettings, STORE_SETTINGS } from './place-options.ts';
import { wrapWords } from './terminal/wrap-words.ts';

const AFTER_HELP = `
Files: NDJSON, other JSON, CSV or logs of web servers, also packed with gzip or zstd. Without files, commands read
standard input.
With DuckDB installed, they also read Parquet files and tables of .duckdb files.
Events look like {"event": …, "properties": {"distinct_id": …, "time": …}},
people like {"$distinct_id": …, "$properties": {…}}. Any other object is read as properties.

Exit codes:
  0    success
  1    the expression is invalid or failed on a record; or diff, lint or sql --verify found a difference
  2    wrong usage
  3    a file cannot be read, --strict found a broken record, or a server does not respond
  70   internal error
  75   another server has taken over the shared data folder
  130  interrupted`;

const AFTER_MCP_HELP = `
The server only reads: the files that the command line names or, with --server or --project, a project.
Without --port, a client starts the command. For example, in its JSON settings:
  {"mcpServers": {"events": {"command": "npx", "args": ["onwhere", "mcp", "/data/events.ndjson"]}}}`;

/** The groups of commands in `--help`, in this order. Each says what its commands read. */
const GROUPS = {
  files: 'Files (read event files or, with --server or --project, the events of a project):',
  expressions: 'Expressions (need no files and no server):',
  service: 'Server (run it, and manage its data folder; saved funnels: funnel create, list and delete):',
  queries: 'Queries (of event files or, with --server or --project, of a project):',
  tools: 'Tools (try expressions on a file; support for editors, shells and models):',
} as const;

/**
 * Builds the command line. Loads the code of a command when the command runs.
 *
 * @param exit Receives the exit code of a command that returns one.
 * @param args The command line as the shell passed it, for messages about it. If it begins with a command that reads
 *   event files, only this command is declared.
 * @throws {CommanderError} from `parseAsync`, instead of ending the process.
 */
export async function buildProgram(
  io: Io,
  exit: (code: number) => void,
  args: readonly string[] = [],
): Promise<Command> {
  const { out, err } = io;
  // Commands that are added below inherit both.
  const program = new Command('onwhere')
    .exitOverride()
    .configureOutput({
      // With --json, the error is printed as JSON instead.
      outputError: (text, write) => (asksForJson(args) ? undefined : write(text)),
      writeOut: (text) => out.write(wrapHelp(text, out.room)),
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
    .hook('preAction', async (_, command) => {
      const { ensureQuoted } = await import('./shell-quotes.ts');
      ensureQuoted(io.command, command, args);
      refuseExtraArguments(command);
    });
  program.commandsGroup(GROUPS.files);
  const [name] = args;
  // Declaring the others would take a command over files a third of its start.
  if (isDataCommand(name)) {
    addDataCommands(program, io, exit, name);
  } else {
    addDataCommands(program, io, exit);
    await addOtherCommands(program, io, exit);
  }
  finishCommand(program, io, !asksForJson(args));
  return program;
}

/** Adds all commands except those that read event files. */
async function addOtherCommands(program: Command, io: Io, exit: (code: number) => void): Promise<void> {
  const [{ addExpressionCommands }, { addServiceCommands }, { addQueryCommands }] = await Promise.all([
    import('./expression-commands.ts'),
    import('./service-commands.ts'),
    import('./query-commands.ts'),
  ]);
  program.commandsGroup(GROUPS.expressions);
  addExpressionCommands(program, io, exit);
  program.commandsGroup(GROUPS.service);
  addServiceCommands(program, io, exit);
  program.commandsGroup(GROUPS.queries);
  addQueryCommands(program, io, GROUPS.files);
  program.commandsGroup(GROUPS.tools);
  addTools(program, io, exit);
}

/** Adds the interactive commands. */
function addTools(program: Command, io: Io, exit: (code: number) => void): void {
  program
    .command('demo')
    .description('write sample events to shop.ndjson, segment them and suggest commands to try')
    .action(async () => (await import('./commands/demo.ts')).runDemo(io));
  const repl = program
    .command('repl')
    .description('evaluate expressions interactively on the events of a file; type .help for commands')
    .argument('[file]', 'an event file')
    .option('--schema <file>', 'a schema of the properties, as for check (default: inferred from the events)')
    .addOption(
      new Option('--events <n>', 'read the first n events of the file').default(1000, '1,000').argParser(parsePositive),
    )
    .addOption(createTimeZoneOption())
    .action(async (file, options) => exit(await (await import('./commands/repl.ts')).runRepl(io, file, options)));
  addMemoryLimit(addFormatOptions(addFieldOptions(repl)));
  const play = program
    .command('play')
    .description('serve the page for a file or for sample events: explore and query them in a browser')
    .argument('[file]', 'an event file')
    .addOption(new Option('--port <port>', 'the port to listen on').default(0, 'any free port').argParser(parsePort))
    .addOption(createTimeZoneOption())
    .action(async (file, options) => (await import('./commands/play.ts')).runPlay(io, file, options));
  addMemoryLimit(addFormatOptions(addFieldOptions(play)));
  program
    .command('lsp')
    .description('start the language server: diagnostics, completion, hover, formatting and fixes')
    .option('--stdio', 'use standard input and output (the default)')
    .action(async () => (await import('./commands/lsp.ts')).runLsp(io));
  addMcp(program, io);
  program
    .command('grammar')
    .description('print a grammar of valid expressions, so that a language model can write only these')
    .addOption(new Option('--format <format>', 'the notation').choices(['gbnf', 'lark']).default('gbnf'))
    .addOption(new Option('--use <use>', 'how the expressions are used').choices(USES).default('where'))
    .option('--schema <file>', 'a schema of the properties, as for check: the expressions read no others')
    .action(async (options) => (await import('./commands/grammar.ts')).runGrammar(io, options));
  program
    .command('completion')
    .description('print a completion script for a shell: eval "$(onwhere completion bash)"')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell) => {
      const { COMPLETION_SCRIPTS } = await import('./completion-scripts.ts');
      await io.out.writeAll(COMPLETION_SCRIPTS[shell]?.(program) ?? '');
    });
  program.helpCommand(true);
}

/** Adds the server of tools for language models. */
function addMcp(program: Command, io: Io): void {
  const mcp = program
    .command('mcp')
    .description('start a Model Context Protocol server: language models check filters and query the data')
    .argument('[files...]', 'event files, folders or quoted patterns')
    .addOption(
      new Option(
        '--port <port>',
        'serve HTTP on this port of this machine (default: standard input and output)',
      ).argParser(parsePort),
    )
    .addOption(createTimeZoneOption());
  addSettings(addPlaceOptions(addFormatOptions(addFieldOptions(mcp))), [...STORE_SETTINGS, 'queryTimeLimit'])
    .addHelpText('after', AFTER_MCP_HELP)
    .action(async (files, options) => (await import('./commands/mcp.ts')).runMcp(io, files, options));
}

/**
 * Sets what depends on the finished command: the hint after errors names it, and it accepts extra arguments, which may
 * be an expression whose quotes the shell removed.
 */
function finishCommand(command: Command, io: Io, hasHint: boolean): void {
  const names = [io.command, ...listCommandWords(command)].join(' ');
  command.allowExcessArguments().showHelpAfterError(hasHint && `Run \`${names} --help\` for usage.`);
  for (const below of command.commands) finishCommand(below, io, hasHint);
}

/** Returns whether a command line has `--json`. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

/** Wraps the lines that commander does not wrap, except commands to copy. */
function wrapHelp(text: string, columns: number): string {
  const lines = text.split('\n').flatMap((line) => {
    const [indent = ''] = /^ */.exec(line) ?? [];
    return line.startsWith('  onwhere ') ? [line] : wrapWords(line.trimStart(), columns, indent);
  });
  return lines.join('\n');
}

/** Refuses extra arguments in the words of commander. */
function refuseExtraArguments(command: Command): void {
  const { args, registeredArguments } = command;
  const expected = registeredArguments.length;
  if (args.length <= expected || registeredArguments.at(-1)?.variadic) return;
  const plural = expected === 1 ? '' : 's';
  command.error(
    `error: too many arguments for '${command.name()}'. Expected ${expected} argument${plural} but got ${args.length}.`,
  );
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Expected a port from 0 to 65535.');
}
