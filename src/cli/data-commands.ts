import { type Command, InvalidArgumentError, Option } from 'commander';
import { UNITS } from '../segmentation/buckets.ts';
import { nowOption } from './now-option.ts';

const FILTER = 'a filter, like properties["plan"] == "pro"';
const WHERE = ['--where <filter>', 'only records for which this filter is true'] as const;
const UNIQUE = ['--unique', 'count distinct users'] as const;

/** The commands that read event files. */
export function addDataCommands(program: Command): void {
  overFiles(program, 'filter', '<where>', FILTER)
    .description('print the records for which a filter is true, unchanged')
    .action(async (where, files, options) => (await import('./commands/filter.ts')).filter(where, files, options));

  overFiles(program, 'count', '<where>', FILTER)
    .description('count the records for which a filter is true')
    .option(...UNIQUE)
    .action(async (where, files, options) => (await import('./commands/count.ts')).count(where, files, options));

  overFiles(program, 'segment', '<on>', 'an expression, like properties["country"]')
    .description('count records by the value of an expression')
    .option(...WHERE)
    .option(...UNIQUE)
    .addOption(new Option('--by <unit>', 'cut time, in UTC').choices(UNITS))
    .addOption(new Option('--limit <n>', 'print the greatest n segments').default(60).argParser(positive))
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .option('--csv', 'print CSV')
    .action(async (on, files, options) => (await import('./commands/segment.ts')).segment(on, files, options));

  for (const kind of ['sum', 'average'] as const) {
    overFiles(program, kind, '<on>', 'an expression, like properties["amount"]')
      .description(`print the ${kind} of an expression; what is not a number counts as 0`)
      .option(...WHERE)
      .action(async (on, files, options) => {
        const { aggregate } = await import('./commands/aggregate.ts');
        await aggregate(kind, on, files, options);
      });
  }

  overFiles(program, 'properties')
    .description('list the properties that records have, with types and examples')
    .option(...WHERE)
    .option('--json', 'print a schema for check --schema')
    .action(async (files, options) => (await import('./commands/properties.ts')).properties(files, options));
}

/** A command over event files, with the options that all of them have. */
function overFiles(program: Command, name: string, ...expression: [] | [argument: string, help: string]): Command {
  const command = program.command(name);
  if (expression.length > 0) command.argument(...(expression as [string, string]));
  return command
    .argument('[files...]', 'event files; standard input without any')
    .option('--event <name>', 'only events of this name')
    .option('--strict', 'fail at the first broken record; without it, lines that cannot match are not checked')
    .addOption(nowOption());
}

function positive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1.');
}
