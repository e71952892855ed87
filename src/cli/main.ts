#!/usr/bin/env node
import type { Command } from 'commander';
import { printable } from '../util/printable.ts';
import { describeFailure } from './describe-failure.ts';
import { EXIT } from './exit.ts';
import { buildProgram } from './program.ts';
import { say } from './say.ts';

// Whoever reads the output may stop before its end (`onwhere filter … | head`); that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  say('error', `the output cannot be written: ${error.message}`);
  process.exit(EXIT.data);
});
// Where nobody listens to warnings, the answer still counts.
process.stderr.on('error', () => undefined);
process.on('SIGINT', () => {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  process.exit(EXIT.interrupted);
});

const program = buildProgram((code) => {
  process.exitCode = code;
});
for (const command of withSubcommands(program)) {
  command.exitOverride();
  command.configureOutput({ writeErr: (text) => process.stderr.write(text.split('\n').map(printable).join('\n')) });
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** The expression right behind the command may begin with a minus; a space before it tells it from an option. */
function withExpression([command = '', expression, ...rest]: readonly string[]): string[] {
  if (expression === undefined) return command === '' ? [] : [command];
  if (command === 'query') return [command, ...withExpression([expression, ...rest])];
  const option = /^(?:--?|-h|--[a-z][a-z-]*(?:=[\s\S]*)?)$/i.test(expression);
  return [command, expression.startsWith('-') && !option ? ` ${expression}` : expression, ...rest];
}

try {
  await program.parseAsync(withExpression(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  const { text, code } = describeFailure(error, process.stderr);
  if (text !== undefined) process.stderr.write(`${text}\n`);
  process.exitCode = code;
}
