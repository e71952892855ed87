import { describeFailure } from './describe-failure.ts';
import { EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { buildProgram } from './program.ts';

/** Runs the command line to its end and returns the exit code. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const program = buildProgram(io, (found) => {
    code = found;
  });
  try {
    await program.parseAsync(withExpression(args), { from: 'user' });
    return code;
  } catch (error) {
    const failure = describeFailure(error, io.err);
    if (failure.text !== undefined) io.err.write(`${failure.text}\n`);
    return failure.code;
  }
}

/** The expression right behind the command may begin with a minus; a space before it tells it from an option. */
function withExpression([command = '', expression, ...rest]: readonly string[]): string[] {
  if (expression === undefined) return command === '' ? [] : [command];
  if (command === 'query') return [command, ...withExpression([expression, ...rest])];
  const option = /^(?:--?|-h|--[a-z][a-z-]*(?:=[\s\S]*)?)$/i.test(expression);
  return [command, expression.startsWith('-') && !option ? ` ${expression}` : expression, ...rest];
}
