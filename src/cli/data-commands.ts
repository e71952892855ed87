import { type Command, InvalidArgumentError, Option } from 'commander';
import { UNITS } from '../data/buckets.ts';
import type { Io } from './io.ts';
import { createNowOption } from './options.ts';

const FILTER = 'a filter, like properties["plan"] == "pro"';
const WHERE = ['--where <filter>', 'only records for which this filter is true'] as const;
const UNIQUE = ['--unique', 'count distinct users'] as const;

/** The commands that read event files. */
export function addDataCommands(program: Command, io: Io): void {
  addFilter(program, io, 'print the records for which a filter is true, unchanged').action(
    async (where, files, options) => (await import('./commands/filter.ts')).runFilter(io, where, files, options),
  );
  addCount(program, io).action(async (where, files, options) =>
    (await import('./commands/count.ts')).runCount(io, where, files, options),
  );
  addSegment(program, io).action(async (on, files, options) =>
    (await import('./commands/segment.ts')).runSegment(io, on, files, options),
  );

  for (const kind of ['sum', 'average'] as const) {
    overFiles(program, io, kind, '<on>', 'an expression, like properties["amount"]')
      .description(`print the ${kind} of an expression; what is not a number counts as 0`)
      .option(...WHERE)
      .action(async (on, files, options) => {
        const { runOverFiles } = await import('./commands/aggregate.ts');
        await runOverFiles(io, kind, on, files, options);
      });
  }

  overFiles(program, io, 'properties')
    .description('list the properties that records have, with types and examples')
    .option(...WHERE)
    .option('--json', 'print a schema for check --schema')
    .action(async (files, options) => (await import('./commands/properties.ts')).runProperties(io, files, options));

  addQueryCommands(program, io);
}

/** The same questions, answered by DuckDB where it can read the files as tables. */
function addQueryCommands(program: Command, io: Io): void {
  const query = program
    .command('query')
    .description('filter, count and segment Parquet files and tables of .duckdb files too, through DuckDB');
  const load = () => import('./commands/query.ts');
  withTable(addFilter(query, io, 'print the records for which a filter is true')).action(
    async (where, files, options) => (await load()).queryFilter(io, where, files, options),
  );
  withTable(addCount(query, io)).action(async (where, files, options) =>
    (await load()).queryCount(io, where, files, options),
  );
  withTable(addSegment(query, io)).action(async (on, files, options) =>
    (await load()).querySegment(io, on, files, options),
  );
}

function withTable(command: Command): Command {
  return command.option('--table <name>', 'the table of a .duckdb file that has several');
}

function addFilter(parent: Command, io: Io, description: string): Command {
  return overFiles(parent, io, 'filter', '<where>', FILTER).description(description);
}

function addCount(parent: Command, io: Io): Command {
  return overFiles(parent, io, 'count', '<where>', FILTER)
    .description('count the records for which a filter is true')
    .option(...UNIQUE);
}

function addSegment(parent: Command, io: Io): Command {
  return overFiles(parent, io, 'segment', '<on>', 'an expression, like properties["country"]')
    .description('count records by the value of an expression')
    .option(...WHERE)
    .option(...UNIQUE)
    .addOption(new Option('--by <unit>', 'cut time, in UTC').choices(UNITS))
    .addOption(new Option('--limit <n>', 'print the greatest n segments').default(60).argParser(positive))
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .option('--csv', 'print CSV');
}

/** A command over event files, with the options that all of them have. */
function overFiles(
  program: Command,
  io: Io,
  name: string,
  ...expression: [] | [argument: string, help: string]
): Command {
  const command = program.command(name);
  if (expression.length > 0) command.argument(...(expression as [string, string]));
  return command
    .argument('[files...]', 'event files; standard input without any')
    .option('--event <name>', 'only events of this name')
    .option('--strict', 'fail at the first broken record; without it, lines that cannot match are not checked')
    .addOption(createNowOption(io));
}

function positive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1.');
}
