import { type Command, Option } from 'commander';
import { USES } from '../lang/check/check.ts';
import { diagnosticPage } from '../lang/diagnostic-page.ts';
import { DIALECTS } from '../lang/engines/sql/dialects/dialects.ts';
import { UsageError } from './exit.ts';
import type { Io } from './io.ts';
import { createNowOption } from './options.ts';

const FROM_INPUT = '- reads it from standard input';
const PROPERTIES = 'the properties of the event';
const USER = 'the properties of its user';
const CODES = `\nEach code has a page: ${diagnosticPage('single-equals')} in this package explains [single-equals].`;
const SCHEMA = 'the properties that there are: JSON as `properties --json` prints it, or a JSON Schema';
const VERIFY =
  'compare the answers of a database with those of onwhere: a .duckdb file, duckdb, or the URL of a ClickHouse or PostgreSQL server; ' +
  'exits with 1 if any differs';

/** The commands about an expression alone. */
export function addExpressionCommands(program: Command, io: Io, exit: (code: number) => void): void {
  program
    .command('eval')
    .description('print the value of an expression')
    .argument('<expression>', FROM_INPUT)
    .addOption(useOption())
    .option('--properties <json>', PROPERTIES)
    .option('--user <json>', USER)
    .addOption(createNowOption(io))
    .option('--partial', 'print the expression that is left where only these are known')
    .action(async (source, { partial, now, ...record }, command: Command) => {
      const { runEval, runPartialEval } = await import('./commands/eval.ts');
      const isFixed = command.getOptionValueSource('now') !== 'default';
      await (partial
        ? runPartialEval(io, source, { ...record, ...(isFixed && { now }) })
        : runEval(io, source, { ...record, now }));
    });

  program
    .command('explain')
    .description(
      'print the parts of an expression with their types or, on a record, with their values and why it is what it is',
    )
    .argument('<expression>', FROM_INPUT)
    .addOption(useOption())
    .option('--schema <file>', SCHEMA)
    .option('--properties <json>', PROPERTIES)
    .option('--user <json>', USER)
    .addOption(createNowOption(io))
    .option('--json', 'print JSON')
    .action(async (source, options) =>
      exit(await (await import('./commands/explain.ts')).runExplain(io, source, options)),
    );

  program
    .command('sql')
    .description('print the SQL that an expression is for a database')
    .argument('[expression]', FROM_INPUT)
    .addOption(new Option('--dialect <name>', 'the database').choices(Object.keys(DIALECTS)).default('duckdb'))
    .addOption(new Option('--where', 'as a filter').conflicts('on'))
    .option('--on', 'as a segmentation')
    .option('--columns <file>', 'a schema of the properties that are columns; without it they are in columns of JSON')
    .option('--setup', 'print the statements that make the functions it calls, once for a database')
    .addOption(
      new Option('--verify <database>', VERIFY).conflicts(['dialect', 'where', 'on', 'columns', 'setup', 'now']),
    )
    .addOption(createNowOption(io))
    .action(async (source, { setup, verify, ...options }) => {
      if (verify !== undefined) {
        if (source !== undefined) throw new UsageError('--verify takes no expression: it has its own');
        const { verifySql } = await import('./commands/verify-sql.ts');
        return exit(await verifySql(io, verify));
      }
      const { runSql, runSqlSetup } = await import('./commands/sql.ts');
      await (setup ? runSqlSetup(io, options) : runSql(io, source ?? '-', options));
    });

  program
    .command('check')
    .description('say what is wrong with an expression, or cannot have been meant')
    .argument('<expression>', FROM_INPUT)
    .addOption(useOption())
    .option('--schema <file>', SCHEMA)
    .option('--json', 'print JSON')
    .addHelpText('after', CODES)
    .action(async (source, options) => exit(await (await import('./commands/check.ts')).runCheck(io, source, options)));

  program
    .command('fmt')
    .description('print an expression in its canonical form')
    .argument('<expression>', FROM_INPUT)
    .action(async (source) => (await import('./commands/fmt.ts')).runFmt(io, source));
}

function useOption(): Option {
  return new Option('--use <use>', 'what it is for').choices(USES).default('value');
}
