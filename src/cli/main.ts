#!/usr/bin/env node
import { CommanderError } from 'commander';
import { ExpressionError } from '../language/errors.ts';
import { renderDiagnostics } from '../language/render.ts';
import { EXIT, UsageError } from './exit.ts';
import { InputError } from './input/input-error.ts';
import { buildProgram } from './program.ts';
import { RecordError } from './record-error.ts';
import { painter } from './terminal.ts';

// Whoever reads the output may stop before its end (`onwhere filter … | head`); that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.data);
});
process.on('SIGINT', () => {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  process.exit(EXIT.interrupted);
});

const program = buildProgram((code) => {
  process.exitCode = code;
});
for (const command of [program, ...program.commands]) command.exitOverride();

const OPTION = /^--?[a-z][a-z-]*(?:=[\s\S]*)?$/i;

/** An expression may begin with a minus; a space before it tells it from an option. */
function argument(text: string): string {
  return text.startsWith('-') && text.length > 1 && text !== '--' && !OPTION.test(text) ? ` ${text}` : text;
}

try {
  await program.parseAsync(process.argv.slice(2).map(argument), { from: 'user' });
} catch (error) {
  process.exitCode = tell(error);
}

/** Says on standard error what went wrong and answers the exit code. No stack trace reaches a user. */
function tell(error: unknown): number {
  const say = (text: string) => process.stderr.write(`${text}\n`);
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof ExpressionError) {
    say(renderDiagnostics(error.source, error.diagnostics, painter(process.stderr)));
    return EXIT.expression;
  }
  if (error instanceof RecordError) {
    say(`${renderDiagnostics(error.cause.source, error.cause.diagnostics, painter(process.stderr))}\n\n${error.place}`);
    return EXIT.expression;
  }
  if (error instanceof UsageError) {
    say(`error: ${error.message}`);
    return EXIT.usage;
  }
  if (error instanceof InputError) {
    say(`error: ${error.message}`);
    return EXIT.data;
  }
  say(`internal error: ${error instanceof Error ? error.message : String(error)}. Please report it.`);
  return EXIT.internal;
}
