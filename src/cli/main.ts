#!/usr/bin/env node
import { CommanderError } from 'commander';
import { ExpressionError } from '../language/errors.ts';
import { renderDiagnostics } from '../language/render.ts';
import { printable } from '../util/printable.ts';
import { EXIT, UsageError } from './exit.ts';
import { InputError } from './input/input-error.ts';
import { buildProgram } from './program.ts';
import { RecordError } from './record-error.ts';
import { say } from './say.ts';
import { painter } from './terminal.ts';

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
for (const command of [program, ...program.commands]) {
  command.exitOverride();
  command.configureOutput({ writeErr: (text) => process.stderr.write(text.split('\n').map(printable).join('\n')) });
}

/** The expression right behind the command may begin with a minus; a space before it tells it from an option. */
function withExpression([command = '', expression, ...rest]: readonly string[]): string[] {
  if (expression === undefined) return command === '' ? [] : [command];
  const option = /^(?:--?|-h|--[a-z][a-z-]*(?:=[\s\S]*)?)$/i.test(expression);
  return [command, expression.startsWith('-') && !option ? ` ${expression}` : expression, ...rest];
}

try {
  await program.parseAsync(withExpression(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  process.exitCode = tell(error);
}

/** Says on standard error what went wrong and answers the exit code. No stack trace reaches a user. */
function tell(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof ExpressionError) return tellExpression(error);
  if (error instanceof RecordError) {
    tellExpression(error.cause);
    say('error', error.message);
    return EXIT.expression;
  }
  if (error instanceof UsageError || error instanceof InputError) {
    say('error', error.message);
    return error instanceof UsageError ? EXIT.usage : EXIT.data;
  }
  say('error', `${error instanceof Error ? error.message : String(error)} (a mistake in onwhere: please report it)`);
  return EXIT.internal;
}

function tellExpression({ source, diagnostics }: ExpressionError): number {
  process.stderr.write(`${renderDiagnostics(source, diagnostics, painter(process.stderr))}\n`);
  return EXIT.expression;
}
