import { type Command, InvalidArgumentError, Option } from 'commander';
import { UNITS } from '../data/buckets.ts';
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

const FILTER = 'a filter such as properties["plan"] == "pro"';
const LINTED =
  'files or folders of filters: .json and .ndjson with {"id": "pro", "where": "…"}, or a filter per file or line; ' +
  '- reads standard input';
const WHERE = ['--where <filter>', 'only records that match this filter'] as const;
const JSON_OPTION = ['--json', 'print JSON'] as const;
const EXPLAIN = ['--explain', 'print how many records each part of the filter removes, on standard error'] as const;
const UNIQUE = ['--unique', 'count distinct users'] as const;

/** Adds the commands that read event files. */
export function addDataCommands(program: Command, io: Io, exit: (code: number) => void): void {
  addFilter(program, io, 'print the records that match a filter, unchanged')
    .option(...EXPLAIN)
    .action(async (where, files, options) =>
      (await import('./commands/filter.ts')).runFilter(io, where, files, options),
    );
  addCount(program, io)
    .option(...EXPLAIN)
    .action(async (where, files, options) => (await import('./commands/count.ts')).runCount(io, where, files, options));
  addSegment(program, io)
    .option(...EXPLAIN)
    .action(async (on, files, options) => (await import('./commands/segment.ts')).runSegment(io, on, files, options));

  for (const kind of ['sum', 'average'] as const) {
    addFileCommand(program, io, kind, { '<on>': 'an expression such as properties["amount"]' })
      .description(`print the ${kind} of an expression over all records; a value that is not a number counts as 0`)
      .option(...WHERE)
      .option(...EXPLAIN)
      .option(...JSON_OPTION)
      .action(async (on, files, options) => {
        const { runOverFiles } = await import('./commands/aggregate.ts');
        await runOverFiles(io, kind, on, files, options);
      });
  }

  addFileCommand(program, io, 'match', {
    '<filters>': 'a file with a filter per line: an expression, or {"id": "pro", "where": "…"}',
  })
    .description('count the records that each of many filters matches')
    .addOption(new Option('--list', 'print each record with the filters that match it, as JSON').conflicts('json'))
    .option('--explain', 'print when each filter is evaluated, on standard error')
    .option(...JSON_OPTION)
    .action(async (filters, files, options) =>
      (await import('./commands/match.ts')).runMatch(io, filters, files, options),
    );

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
    .action(async (old, changed, files, options) =>
      exit(await (await import('./commands/diff.ts')).runDiff(io, old, changed, files, options)),
    );

  program
    .command('lint')
    .description('find saved filters that are never or always true, the same, nearly the same, or part of another')
    .argument('<filters...>', LINTED)
    .option(...SCHEMA_OPTION)
    .addOption(createTimeZoneOption())
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExits with 1 if a filter is invalid, never or always true, or the same as another.')
    .action(async (files, options) => exit(await (await import('./commands/lint.ts')).runLint(io, files, options)));

  addFileCommand(program, io, 'describe')
    .description('show what is in event files: events, times, users, and properties with types and top values')
    .option(...WHERE)
    .option(...JSON_OPTION)
    .action(async (files, options) => (await import('./commands/describe.ts')).runDescribe(io, files, options));

  addFileCommand(program, io, 'properties')
    .description('list the properties of the records, with types and examples')
    .option(...WHERE)
    .option('--json', 'print a schema for --schema of other commands')
    .action(async (files, options) => (await import('./commands/properties.ts')).runProperties(io, files, options));

  addQueryCommands(program, io);
}

/** Adds `query filter`, `query count` and `query segment`, which read files through DuckDB. */
function addQueryCommands(program: Command, io: Io): void {
  const query = program
    .command('query')
    .description('filter, count or segment event files in DuckDB, which is faster for Parquet, .duckdb and CSV files');
  const load = () => import('./commands/query.ts');
  addFilter(query, io, 'print the records that match a filter').action(async (where, files, options) =>
    (await load()).queryFilter(io, where, files, options),
  );
  addCount(query, io).action(async (where, files, options) => (await load()).queryCount(io, where, files, options));
  addSegment(query, io).action(async (on, files, options) => (await load()).querySegment(io, on, files, options));
}

function addFilter(parent: Command, io: Io, description: string): Command {
  return addFileCommand(parent, io, 'filter', { '<where>': FILTER })
    .description(description)
    .option(...RAW_OPTION);
}

function addCount(parent: Command, io: Io): Command {
  return addFileCommand(parent, io, 'count', { '<where>': FILTER })
    .description('count the records that match a filter')
    .option(...UNIQUE)
    .option(...JSON_OPTION);
}

function addSegment(parent: Command, io: Io): Command {
  return addFileCommand(parent, io, 'segment', { '<on>': 'an expression such as properties["country"]' })
    .description('count records by the value of an expression')
    .option(...WHERE)
    .option(...UNIQUE)
    .addOption(new Option('--by <unit>', 'count per unit of time').choices(UNITS))
    .addOption(new Option('--limit <n>', 'print the top n segments').default(60).argParser(parsePositive))
    .addOption(new Option('--chart', 'draw a chart of each segment over time; needs --by').conflicts(['json', 'csv']))
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .option('--csv', 'print CSV');
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
  return addFiles(command, files).addOption(createNowOption(io));
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
