import { type Command, Option } from 'commander';
import { USES } from '../check/check.ts';
import { nowOption } from './now-option.ts';

const FROM_INPUT = '- reads it from standard input';

/** The commands about an expression alone. */
export function addExpressionCommands(program: Command, exit: (code: number) => void): void {
  program
    .command('eval')
    .description('print the value of an expression')
    .argument('<expression>', FROM_INPUT)
    .option('--properties <json>', 'the properties of the event')
    .option('--user <json>', 'the properties of its user')
    .addOption(nowOption())
    .action(async (source, options) => (await import('./commands/eval.ts')).evaluateOnce(source, options));

  program
    .command('check')
    .description('say what is wrong with an expression, or cannot have been meant')
    .argument('<expression>', FROM_INPUT)
    .addOption(new Option('--use <use>', 'what it is for').choices(USES).default('value'))
    .option('--schema <file>', 'the properties that there are: JSON as `properties --json` prints it, or a JSON Schema')
    .option('--json', 'print JSON')
    .action(async (source, options) => exit(await (await import('./commands/check.ts')).check(source, options)));

  program
    .command('fmt')
    .description('print an expression in its canonical form')
    .argument('<expression>', FROM_INPUT)
    .action(async (source) => (await import('./commands/fmt.ts')).fmt(source));
}
