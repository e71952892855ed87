import { describeFailure, describeFailureAsJson } from './describe-failure.ts';
import { EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { asksForJson, buildProgram } from './program.ts';

/** Runs the command line and returns the exit code. Prints errors to `io.err`. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const keepCode = (found: number) => {
    code = found;
  };
  const program = buildProgram(io, keepCode, args);
  try {
    await program.parseAsync(escapeMinus(args), { from: 'user' });
    return code;
  } catch (error) {
    const failure = asksForJson(args) ? describeFailureAsJson(error) : describeFailure(error, io.err);
    if (failure.text !== undefined) io.err.write(`${failure.text}\n`);
    return failure.code;
  }
}

/** Prefixes an expression that begins with a minus with a space, so that commander does not take it for an option. */
function escapeMinus([command = '', expression, ...rest]: readonly string[]): string[] {
  if (expression === undefined) return command === '' ? [] : [command];
  if (command === 'query') return [command, ...escapeMinus([expression, ...rest])];
  const option = /^(?:--?|-h|--[a-z][a-z-]*(?:=[\s\S]*)?)$/i.test(expression);
  return [command, expression.startsWith('-') && !option ? ` ${expression}` : expression, ...rest];
}
