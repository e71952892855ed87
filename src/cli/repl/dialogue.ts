import { isUnfinished } from '../../lang/syntax/is-unfinished.ts';
import { describeFailure } from '../describe-failure.ts';
import { EXIT, UsageError } from '../exit.ts';
import { COMMANDS, type Command, getCommand, takesExpression } from './commands.ts';
import { answerValue } from './expression-answers.ts';
import { splitInput } from './read-input.ts';
import type { ReplState } from './state.ts';

/** Words that many programs have as commands. Alone, none of them is an expression. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['help', '.help'],
  ['?', '.help'],
  ['exit', '.exit'],
  ['quit', '.exit'],
]);

/** Runs the inputs of a REPL session. */
export class Dialogue {
  /** The exit code of the first input that failed. */
  code: number = EXIT.ok;

  constructor(readonly state: ReplState) {}

  /** Returns whether an input continues on the next line. */
  isIncomplete(input: string): boolean {
    const split = splitInput(input);
    if (split === undefined) return isUnfinished(input);
    const command = COMMANDS.find(({ name }) => name === split.name);
    return command !== undefined && takesExpression(command) && isUnfinished(split.argument);
  }

  /** Runs an input. Returns the output; undefined to leave. */
  async answer(input: string): Promise<string | undefined> {
    try {
      return await this.run(input);
    } catch (error) {
      const { text, code } = describeFailure(error, this.state.io.out);
      if (this.code === EXIT.ok) this.code = code;
      return text ?? '';
    } finally {
      this.state.inputs.push(input);
    }
  }

  private run(input: string): string | undefined | Promise<string> {
    const split = splitInput(WORDS.get(input.trim().toLowerCase()) ?? input);
    if (split === undefined) return answerValue(this.state, this.remember(input.trim()));
    const command = getCommand(split.name);
    return command.run(this.state, this.resolveArgument(command, split.argument));
  }

  /** Validates the argument of a command. A missing expression becomes the last one. */
  private resolveArgument({ name, argument }: Command, given: string): string {
    if (argument === '' && given !== '') throw new UsageError(`${name} takes no argument.`);
    if (argument === '<file>' && given === '') throw new UsageError(`Missing file: ${name} ${argument}`);
    if (argument === '[expression]' && given === '' && this.state.last === '') {
      throw new UsageError(`Missing expression: ${name} ${argument}`);
    }
    if (argument === '[expression]') return this.remember(given === '' ? this.state.last : given);
    return argument === '[filter]' && given !== '' ? this.remember(given) : given;
  }

  private remember(expression: string): string {
    this.state.last = expression;
    return expression;
  }
}
