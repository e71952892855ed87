import { isUnfinished } from '../../lang/syntax/is-unfinished.ts';
import { describeFailure } from '../describe-failure.ts';
import { EXIT, UsageError } from '../exit.ts';
import { COMMANDS, type Command, getCommand, takesExpression } from './commands.ts';
import { answerValue } from './expression-answers.ts';
import { splitInput } from './read-input.ts';
import type { ReplState } from './state.ts';

/** Answers inputs, one after the other. */
export class Dialogue {
  /** The exit code of the first input that failed. */
  code: number = EXIT.ok;

  constructor(readonly state: ReplState) {}

  /** Whether an input goes on in the next line. */
  goesOn(input: string): boolean {
    const split = splitInput(input);
    if (split === undefined) return isUnfinished(input);
    const command = COMMANDS.find(({ name }) => name === split.name);
    return command !== undefined && takesExpression(command) && isUnfinished(split.argument);
  }

  /** What to print; undefined to leave. */
  async answer(input: string): Promise<string | undefined> {
    try {
      return await this.ask(input);
    } catch (error) {
      const { text, code } = describeFailure(error, this.state.io.out);
      if (this.code === EXIT.ok) this.code = code;
      return text ?? '';
    } finally {
      this.state.inputs.push(input);
    }
  }

  private ask(input: string): string | undefined | Promise<string> {
    const split = splitInput(input);
    if (split === undefined) return answerValue(this.state, this.remember(input.trim()));
    const command = getCommand(split.name);
    return command.run(this.state, this.complete(command, split.argument));
  }

  /** The argument as the command takes it. */
  private complete({ name, argument }: Command, given: string): string {
    if (argument === '' && given !== '') throw new UsageError(`${name} takes nothing behind it.`);
    if (argument === '<file>' && given === '') throw new UsageError(`${name} takes a file: ${name} ${argument}`);
    if (argument === '[expression]' && given === '' && this.state.last === '') {
      throw new UsageError(`Type an expression first, or behind ${name}.`);
    }
    if (argument === '[expression]') return this.remember(given === '' ? this.state.last : given);
    return argument === '[filter]' && given !== '' ? this.remember(given) : given;
  }

  private remember(expression: string): string {
    this.state.last = expression;
    return expression;
  }
}
