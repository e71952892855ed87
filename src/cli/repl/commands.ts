import { suggest } from '../../lang/util/suggest.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { answerEvent, answerFind, answerOn, answerStep, answerWhere } from './event-answers.ts';
import { answerExplain, answerFormat, answerTree, answerType } from './expression-answers.ts';
import { answerLoad, answerSave, answerSchema } from './file-answers.ts';
import type { ReplState } from './state.ts';

/** What stands behind a command: in square brackets, it can be left out. */
type Argument = '' | '[expression]' | '[filter]' | '[file]' | '<file>' | '[command]';

/** Something to ask for by a word with a dot. */
export interface Command {
  readonly name: string;
  /** An expression that is left out is the last one. */
  readonly argument: Argument;
  readonly summary: string;
  /** The answer, whose lines are safe for a terminal; undefined to leave. */
  readonly run: (state: ReplState, argument: string) => string | undefined | Promise<string>;
}

/** Every command, as the help lists them. */
// biome-ignore format: a table, to be read by its rows
export const COMMANDS: readonly Command[] = [
  { name: '.event',    argument: '',             summary: 'show the current event',                              run: answerEvent },
  { name: '.next',     argument: '',             summary: 'go to the next event',                                run: (state) => answerStep(state, 1) },
  { name: '.previous', argument: '',             summary: 'go to the event before',                              run: (state) => answerStep(state, -1) },
  { name: '.find',     argument: '[expression]', summary: 'go to the next event that it is true for',            run: answerFind },
  { name: '.where',    argument: '[filter]',     summary: 'keep to the events that it is true for; alone: all',  run: answerWhere },
  { name: '.on',       argument: '[expression]', summary: 'count the events by its value',                       run: answerOn },
  { name: '.type',     argument: '[expression]', summary: 'show the types that its value can have',              run: answerType },
  { name: '.tree',     argument: '[expression]', summary: 'show how it is understood',                           run: answerTree },
  { name: '.explain',  argument: '[expression]', summary: 'show the value of each part on the current event',    run: answerExplain },
  { name: '.fmt',      argument: '[expression]', summary: 'write it in its canonical form',                      run: answerFormat },
  { name: '.schema',   argument: '[file]',       summary: 'show the known properties, or take them from a file', run: answerSchema },
  { name: '.load',     argument: '<file>',       summary: 'try the events of another file',                      run: answerLoad },
  { name: '.save',     argument: '<file>',       summary: 'write what you entered to a new file',                run: answerSave },
  { name: '.help',     argument: '[command]',    summary: 'show this',                                           run: ({ io }, name) => answerHelp(io, name) },
  { name: '.exit',     argument: '',             summary: 'leave (also Ctrl-D)',                                 run: () => undefined },
];

const INTRODUCTION = `Type an expression to see its value on the current event, and its types.
What is not finished goes on in the next line. Behind a command, an expression
that is left out is the last one.`;

/** The command of a name. */
export function getCommand(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return command;
  const nearest = suggest(
    name,
    COMMANDS.map((each) => each.name),
  );
  throw new UsageError(`There is no command ${name}. ${nearest ? `Did you mean ${nearest}?` : '.help lists them.'}`);
}

/** Whether an expression can stand behind the command. */
export function takesExpression({ argument }: Command): boolean {
  return argument === '[expression]' || argument === '[filter]';
}

/** The commands, or the one that is asked about, which may come without its dot. */
function answerHelp(io: Io, name: string): string {
  if (name !== '') return tableOf(io, [getCommand(name.replace(/^\.?/, '.'))]);
  return `${INTRODUCTION}\n\n${tableOf(io, COMMANDS)}`;
}

/** A line a command or, where that is too long, two. */
function tableOf({ out }: Io, commands: readonly Command[]): string {
  const usages = commands.map(({ name, argument }) => `${name} ${argument}`);
  const width = Math.max(...usages.map(({ length }) => length));
  const lines = commands.map(({ summary }, index) => `  ${usages[index]?.padEnd(width)}  ${summary}`);
  if (lines.every(({ length }) => length <= out.columns)) return lines.join('\n');
  return commands.map(({ summary }, index) => `${usages[index]}\n  ${summary}`).join('\n');
}
