import { type Command, Option } from 'commander';
import { USES } from '../lang/check/check.ts';
import { diagnosticPage } from '../lang/diagnostic-page.ts';
import { DIALECTS } from '../lang/engines/sql/dialects/dialects.ts';
import { addFiles } from './data-commands.ts';
import { UsageError } from './exit.ts';
import type { Io } from './io.ts';
import { createNowOption, createTimeZoneOption, SCHEMA_OPTION } from './options.ts';

const FROM_INPUT = 'an expression; - reads it from standard input';
const PROPERTIES = 'the properties of an event';
const USER = 'the properties of the user of the event';
const CODES = `\nEach diagnostic code has a page in this package: ${diagnosticPage('single-equals')} explains [single-equals].`;
const FIX =
  'print the repaired expression, and on standard error what was changed; also translates filters of Mixpanel, SQL, ' +
  'CEL, JavaScript, JSON Logic, MongoDB and Excel';
const VERIFY =
  'compare the results of a database with those of onwhere: "duckdb", "sqlite", a file of either, or the URL of a ClickHouse ' +
  'or PostgreSQL server; exits with 1 if any result differs';

/** Adds the commands that take an expression and no files. */
export function addExpressionCommands(program: Command, io: Io, exit: (code: number) => void): void {
  program
    .command('eval')
    .description('print the value of an expression')
    .argument('<expression>', FROM_INPUT)
    .addOption(createUseOption())
    .option('--properties <json>', PROPERTIES)
    .option('--user <json>', USER)
    .addOption(createNowOption(io))
    .addOption(createTimeZoneOption())
    .option('--partial', 'simplify the expression with only these values known')
    .option('--json', 'print JSON')
    .action(async (source, { partial, now, ...record }, command: Command) => {
      const { runEval, runPartialEval } = await import('./commands/eval.ts');
      const isFixed = command.getOptionValueSource('now') !== 'default';
      await (partial
        ? runPartialEval(io, source, { ...record, ...(isFixed && { now }) })
        : runEval(io, source, { ...record, now }));
    });

  program
    .command('explain')
    .description('show the type of each part of an expression or, on a record, the value of each part and why')
    .argument('<expression>', FROM_INPUT)
    .addOption(createUseOption())
    .option(...SCHEMA_OPTION)
    .option('--properties <json>', PROPERTIES)
    .option('--user <json>', USER)
    .addOption(createNowOption(io))
    .addOption(createTimeZoneOption())
    .option('--json', 'print JSON')
    .action(async (source, options) =>
      exit(await (await import('./commands/explain.ts')).runExplain(io, source, options)),
    );

  program
    .command('sql')
    .description('print an expression as SQL')
    .argument('[expression]', FROM_INPUT)
    .addOption(new Option('--dialect <name>', 'the database').choices(Object.keys(DIALECTS)).default('duckdb'))
    .addOption(createUseOption())
    .option('--columns <file>', 'a schema of the columns (default: properties are in JSON columns)')
    .option('--setup', 'print the statements that create the functions of onwhere in a database; run them once')
    .addOption(
      new Option('--verify <database>', VERIFY).conflicts(['dialect', 'use', 'columns', 'setup', 'now', 'timeZone']),
    )
    .addOption(createNowOption(io))
    .addOption(createTimeZoneOption())
    .option('--json', 'print JSON')
    .action(async (source, { setup, verify, ...options }) => {
      if (verify !== undefined) {
        if (source !== undefined) throw new UsageError('--verify takes no expression: it runs its own');
        const { verifySql } = await import('./commands/verify-sql.ts');
        return exit(await verifySql(io, verify, options));
      }
      const { runSql, runSqlSetup } = await import('./commands/sql.ts');
      await (setup ? runSqlSetup(io, options) : runSql(io, source ?? '-', options));
    });

  program
    .command('from-sql')
    .description('translate the condition of SQL, or say which part has no exact translation')
    .argument('<sql>', 'a condition, with or without WHERE, or a SELECT; - reads it from standard input')
    .option('--json', 'print JSON')
    .action(async (source, options) => (await import('./commands/from-sql.ts')).runFromSql(io, source, options));

  const check = program
    .command('check')
    .description('report errors and likely mistakes in an expression, also in names and values of event files')
    .argument('<expression>', FROM_INPUT)
    .addOption(createUseOption())
    .option(...SCHEMA_OPTION)
    .option('--json', 'print JSON')
    .option('--fix', FIX)
    .addHelpText('after', CODES)
    .action(async (source, files, options) =>
      exit(await (await import('./commands/check.ts')).runCheck(io, source, files, options)),
    );
  addFiles(
    check,
    'event files, folders or quoted patterns with the properties; - reads standard input (default: none)',
  );

  program
    .command('fmt')
    .description('format an expression')
    .argument('<expression>', FROM_INPUT)
    .option('--json', 'print JSON')
    .action(async (source, options) => (await import('./commands/fmt.ts')).runFmt(io, source, options));
}

function createUseOption(): Option {
  return new Option('--use <use>', 'how the expression is used').choices(USES).default('value');
}
