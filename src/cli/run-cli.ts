import { describeUnreadVariables } from './environment.ts';
import { EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { printMessage } from './messages.ts';
import { replaceOldNames } from './old-names.ts';
import { asksForJson, buildProgram } from './program.ts';

/** Runs the command line and returns the exit code. Prints errors to `io.err`. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const keepCode = (found: number) => {
    code = found;
  };
  for (const warning of describeUnreadVariables(io.env)) printMessage(io, 'warning', warning);
  const { words, renamed } = replaceOldNames(args);
  for (const [old, now] of renamed)
    printMessage(io, 'note', `${old} is now ${now}. The next version will not know the old name`);
  const program = await buildProgram(io, keepCode, words);
  try {
    await program.parseAsync(escapeMinus(words), { from: 'user' });
    return code;
  } catch (error) {
    const { describeFailure, describeFailureAsJson } = await import('./describe-failure.ts');
    const failure = asksForJson(args) ? describeFailureAsJson(error) : describeFailure(error, io.err);
    if (failure.text !== undefined) io.err.write(`${failure.text}\n`);
    return failure.code;
  }
}

/** Prefixes expressions that begin with a minus with a space, so that commander does not take them for options. */
function escapeMinus([command = '', ...rest]: readonly string[]): string[] {
  if (command === '' && rest.length === 0) return [];
  const expressions = command === 'diff' ? 2 : 1;
  return [command, ...rest.map((word, index) => (index < expressions ? escapeWord(word) : word))];
}

function escapeWord(word: string): string {
  const option = /^(?:--?|-h|--[a-z][a-z-]*(?:=[\s\S]*)?)$/i.test(word);
  return word.startsWith('-') && !option ? ` ${word}` : word;
}
