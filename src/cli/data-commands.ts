import { type Command, InvalidArgumentError, Option } from 'commander';
import { UNITS } from '../data/buckets.ts';
import type { ApiOptions } from './api/with-api.ts';
import { readVariable } from './environment.ts';
import type { Io } from './io.ts';
import {
  addFieldOptions,
  addFormatOptions,
  addMemoryLimit,
  createNowOption,
  createTimeZoneOption,
  RAW_OPTION,
  SCHEMA_OPTION,
} from './options.ts';
import { addPlaceOptions, addSettings, STORE_SETTINGS } from './place-options.ts';

const AFTER_HELP = `
Instead of files, it reads the events of a project: of the server at --server, with the secret of the project, or with
--project and --data of a data folder. Their times and dates are in the time zone of the project.
Prefer ONWHERE_SECRET to --secret: other users of this machine can see command lines.`;

const FILTER = 'a filter such as properties["plan"] == "pro"';
const LINTED =
  'files or folders of filters: .json and .ndjson with {"id": "pro", "where": "…"}, or a filter per file or line; ' +
  '- reads standard input';
const WHERE = ['--where <filter>', 'only records that match this filter'] as const;
const JSON_OPTION = ['--json', 'print JSON'] as const;
const EXPLAIN = ['--explain', 'print how many records each part of the filter removes, on standard error'] as const;
const UNIQUE = ['--unique', 'count distinct users'] as const;

/** Receives the exit code of a command that returns one. */
type Exit = (code: number) => void;

/** The commands that read event files. */
const COMMANDS: Readonly<Record<string, (program: Command, io: Io, exit: Exit) => void>> = {
  filter: addFilter,
  count: addCount,
  segment: addSegment,
  sum: (program, io) => addAggregate(program, io, 'sum'),
  average: (program, io) => addAggregate(program, io, 'average'),
  match: addMatch,
  diff: addDiff,
  lint: addLint,
  describe: addDescribe,
  properties: addProperties,
};

/** Returns whether a word is a command that reads event files. */
export function isDataCommand(word: string | undefined): word is string {
  return word !== undefined && Object.hasOwn(COMMANDS, word);
}

/** Adds the commands that read event files, or only one of them. */
export function addDataCommands(program: Command, io: Io, exit: Exit, only?: string): void {
  for (const [name, add] of Object.entries(COMMANDS)) if (only === undefined || name === only) add(program, io, exit);
}

function addFilter(program: Command, io: Io): void {
  addFileCommand(program, io, 'filter', { '<where>': FILTER })
    .description('print the records that match a filter, unchanged')
    .option(...RAW_OPTION)
    .option(...EXPLAIN)
    .action((where, files, given) =>
      onRecords(io, files, given, async (io, options) =>
        (await import('./commands/filter.ts')).runFilter(io, where, files, options),
      ),
    );
}

function addCount(program: Command, io: Io): void {
  addFileCommand(program, io, 'count', { '<where>': FILTER })
    .description('count the records that match a filter')
    .option(...UNIQUE)
    .option(...JSON_OPTION)
    .option(...EXPLAIN)
    .action((where, files, given) =>
      onRecords(io, files, given, async (io, options) =>
        (await import('./commands/count.ts')).runCount(io, where, files, options),
      ),
    );
}

function addSegment(program: Command, io: Io): void {
  addFileCommand(program, io, 'segment', { '<on>': 'an expression such as properties["country"]' })
    .description('count records by the value of an expression')
    .option(...WHERE)
    .option(...UNIQUE)
    .addOption(new Option('--by <unit>', 'count per unit of time').choices(UNITS))
    .addOption(new Option('--limit <n>', 'print the top n segments').default(60).argParser(parsePositive))
    .addOption(new Option('--chart', 'draw a chart of each segment over time; needs --by').conflicts(['json', 'csv']))
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .option('--csv', 'print CSV')
    .option(...EXPLAIN)
    .action((on, files, given) =>
      onRecords(io, files, given, async (io, options) =>
        (await import('./commands/segment.ts')).runSegment(io, on, files, options),
      ),
    );
}

function addAggregate(program: Command, io: Io, kind: 'sum' | 'average'): void {
  addFileCommand(program, io, kind, { '<on>': 'an expression such as properties["amount"]' })
    .description(`print the ${kind} of an expression over all records; a value that is not a number counts as 0`)
    .option(...WHERE)
    .option(...EXPLAIN)
    .option(...JSON_OPTION)
    .action((on, files, given) =>
      onRecords(io, files, given, async (io, options) =>
        (await import('./commands/aggregate.ts')).runAggregate(io, kind, on, files, options),
      ),
    );
}

function addMatch(program: Command, io: Io): void {
  addFileCommand(program, io, 'match', {
    '<filters>': 'a file with a filter per line: an expression, or {"id": "pro", "where": "…"}',
  })
    .description('count the records that each of many filters matches')
    .addOption(new Option('--list', 'print each record with the filters that match it, as JSON').conflicts('json'))
    .option('--explain', 'print when each filter is evaluated, on standard error')
    .option(...JSON_OPTION)
    .action((filters, files, given) =>
      onRecords(io, files, given, async (io, options) =>
        (await import('./commands/match.ts')).runMatch(io, filters, files, options),
      ),
    );
}

function addDiff(program: Command, io: Io, exit: Exit): void {
  addFileCommand(
    program,
    io,
    'diff',
    { '<old>': `${FILTER}; - reads it from standard input`, '<new>': 'the filter that replaces it' },
    'event files, folders or quoted patterns; - reads standard input (default: compare without data)',
  )
    .description('compare two filters: whether one selects all that the other does, and which records join and leave')
    .option(...SCHEMA_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExits with 0 if the filters are equal, and with 1 if they are not or if that is unknown.')
    .action((old, changed, files, given) =>
      onRecords(io, files, given, async (io, options) =>
        exit(await (await import('./commands/diff.ts')).runDiff(io, old, changed, files, options)),
      ),
    );
}

function addLint(program: Command, io: Io, exit: Exit): void {
  program
    .command('lint')
    .description('find saved filters that are never or always true, the same, nearly the same, or part of another')
    .argument('<filters...>', LINTED)
    .option(...SCHEMA_OPTION)
    .addOption(createTimeZoneOption())
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExits with 1 if a filter is invalid, never or always true, or the same as another.')
    .action(async (files, options) => exit(await (await import('./commands/lint.ts')).runLint(io, files, options)));
}

function addDescribe(program: Command, io: Io): void {
  addFileCommand(program, io, 'describe')
    .description('show what the records hold: events, times, users, and properties with types and top values')
    .option(...WHERE)
    .option(...JSON_OPTION)
    .action((files, given) =>
      onRecords(io, files, given, async (io, options) =>
        (await import('./commands/describe.ts')).runDescribe(io, files, options),
      ),
    );
}

function addProperties(program: Command, io: Io): void {
  addFileCommand(program, io, 'properties')
    .description('list the properties of the records, with types and examples')
    .option(...WHERE)
    .option('--json', 'print a schema for --schema of other commands')
    .action((files, given) =>
      onRecords(io, files, given, async (io, options) =>
        (await import('./commands/properties.ts')).runProperties(io, files, options),
      ),
    );
}

/**
 * Runs a command on files or standard input or, if the options name a server or a data folder, on the events of a
 * project. Nobody types events into a terminal, so the server of the environment is read instead of one.
 */
async function onRecords<Options, Result>(
  io: Io,
  files: readonly string[],
  given: Options & ApiOptions,
  run: (io: Io, options: Options) => Promise<Result>,
): Promise<Result> {
  const { server, secret, ca, project, data, store, clickhouseUrl, clickhouseCluster, config, ...own } = given;
  const options = own as Options;
  const isNamed = [server, project, data].some((place) => place !== undefined);
  const isDefault = files.length === 0 && readVariable(io, 'server') !== undefined && io.in.isTTY === true;
  if (!isNamed && !isDefault) return run(io, options);
  const { onProjectEvents } = await import('./api/project-events.ts');
  return onProjectEvents(io, files, given, (found, timeZone) => run(found, { ...options, timeZone }));
}

/**
 * Adds a command over event files with the options that all of them share.
 *
 * @param expressions The arguments before the files, with their descriptions.
 */
function addFileCommand(
  program: Command,
  io: Io,
  name: string,
  expressions: Readonly<Record<string, string>> = {},
  files = 'event files, folders or quoted patterns (default: standard input)',
): Command {
  const command = program.command(name);
  for (const [argument, help] of Object.entries(expressions)) command.argument(argument, help);
  addFiles(command, files).addOption(createNowOption(io));
  const settings = STORE_SETTINGS.filter((name) => name !== 'memoryLimit');
  return addSettings(addPlaceOptions(command), settings).addHelpText('after', AFTER_HELP);
}

/** Adds event files as arguments, with the options that say what of them to read, and how. */
export function addFiles(command: Command, description: string): Command {
  command
    .argument('[files...]', description)
    .option('--event <name>', 'only events with this name')
    .option('--strict', 'stop at the first broken record')
    .addOption(createTimeZoneOption());
  return addMemoryLimit(addFormatOptions(addFieldOptions(command)));
}

/** Parses a whole number of at least 1. */
export function parsePositive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number of at least 1.');
}
