import { suggest } from '../../base/suggest.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { answerEvent, answerFind, answerOn, answerStep, answerWhere } from './event-answers.ts';
import { answerExplain, answerFormat, answerTree, answerType } from './expression-answers.ts';
import { answerLoad, answerSave, answerSchema } from './file-answers.ts';
import type { ReplState } from './state.ts';

/** The argument of a command. Square brackets mark optional ones. */
type Argument = '' | '[expression]' | '[filter]' | '[file]' | '<file>' | '[command]';

/** A REPL command, which begins with a dot. */
export interface Command {
  readonly name: string;
  /** A missing expression means the last one. */
  readonly argument: Argument;
  readonly summary: string;
  /** Returns the output, escaped for a terminal; undefined to leave. */
  readonly run: (state: ReplState, argument: string) => string | undefined | Promise<string>;
}

/** All commands in the order of the help. */
// biome-ignore format: a table, to be read by its rows
export const COMMANDS: readonly Command[] = [
  { name: '.event',    argument: '',             summary: 'show the current event',                                 run: answerEvent },
  { name: '.next',     argument: '',             summary: 'go to the next event',                                   run: (state) => answerStep(state, 1) },
  { name: '.previous', argument: '',             summary: 'go to the previous event',                               run: (state) => answerStep(state, -1) },
  { name: '.find',     argument: '[expression]', summary: 'go to the next event that matches a filter',             run: answerFind },
  { name: '.where',    argument: '[filter]',     summary: 'only use matching events; without a filter, use all',    run: answerWhere },
  { name: '.on',       argument: '[expression]', summary: 'count the events by a value',                            run: answerOn },
  { name: '.type',     argument: '[expression]', summary: 'show the possible types of an expression',               run: answerType },
  { name: '.tree',     argument: '[expression]', summary: 'show the syntax tree',                                   run: answerTree },
  { name: '.explain',  argument: '[expression]', summary: 'show the value of each part on the current event',       run: answerExplain },
  { name: '.fmt',      argument: '[expression]', summary: 'format an expression',                                   run: answerFormat },
  { name: '.schema',   argument: '[file]',       summary: 'show the schema, or load it from a file',                run: answerSchema },
  { name: '.load',     argument: '<file>',       summary: 'load the events of another file',                        run: answerLoad },
  { name: '.save',     argument: '<file>',       summary: 'save your inputs to a new file',                         run: answerSave },
  { name: '.help',     argument: '[command]',    summary: 'show this help',                                         run: ({ io }, name) => answerHelp(io, name) },
  { name: '.exit',     argument: '',             summary: 'leave (also Ctrl-D)',                                    run: () => undefined },
];

const INTRODUCTION =
  'Type an expression to see its value on the current event, and its types. An unfinished expression continues on the ' +
  'next line. A command without an expression uses the last one. Tab completes, and Ctrl-R searches the history.';

/** Longer lines of prose are hard to read. */
const MAX_TEXT_WIDTH = 80;

/** Returns a command by its name. @throws {UsageError} if it does not exist. */
export function getCommand(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return command;
  const nearest = suggest(
    name,
    COMMANDS.map((each) => each.name),
  );
  throw new UsageError(
    `Unknown command ${name}. ${nearest ? `Did you mean ${nearest}?` : 'Type .help for the commands.'}`,
  );
}

/** Returns whether a command takes an expression. */
export function takesExpression({ argument }: Command): boolean {
  return argument === '[expression]' || argument === '[filter]';
}

/** Returns the help for all commands or for one, whose dot is optional. */
function answerHelp(io: Io, name: string): string {
  if (name !== '') return renderCommands(io, [getCommand(name.replace(/^\.?/, '.'))]);
  return [...wrapWords(INTRODUCTION, Math.min(io.out.columns, MAX_TEXT_WIDTH)), '', renderCommands(io, COMMANDS)].join(
    '\n',
  );
}

/** Renders a line per command or, on narrow terminals, its summary below it. */
function renderCommands({ out }: Io, commands: readonly Command[]): string {
  const usages = commands.map(({ name, argument }) => `${name} ${argument}`);
  const width = Math.max(...usages.map(({ length }) => length));
  const lines = commands.map(({ summary }, index) => `  ${usages[index]?.padEnd(width)}  ${summary}`);
  if (lines.every(({ length }) => length <= out.columns)) return lines.join('\n');
  return commands
    .flatMap(({ summary }, index) => [
      ...wrapWords(usages[index] ?? '', out.columns),
      ...wrapWords(summary, out.columns, '  '),
    ])
    .join('\n');
}
