import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { check } from '../api/expressions.ts';
import { FUNCTIONS, OPERATORS } from '../lang/operators/table.ts';
import { listCommandWords } from './command-names.ts';
import { UsageError } from './exit.ts';

/** The names of arguments and options that are expressions. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  where: 'properties["plan"] == "pro"',
  on: 'properties["country"]',
  expression: 'properties["plan"] == "pro"',
};

const OPERATOR_WORDS: readonly string[] = OPERATORS.map(({ name }) => name).filter((name) => name !== 'now');

const KEYWORDS: readonly string[] = [...OPERATOR_WORDS, 'now', 'true', 'false'];

const SCOPES = ['properties', 'event', 'user'];

/**
 * Refuses a command line whose quotes the shell removed, or that names a file where its expression belongs.
 *
 * @param words The command line as the shell passed it.
 * @throws {UsageError} with the command to type instead.
 */
export function ensureQuoted(program: string, command: Command, words: readonly string[]): void {
  const [argument] = command.registeredArguments;
  const [first = ''] = command.args;
  const own = argument !== undefined && argument.name() in EXPRESSIONS ? first.trim() : '';
  const begins = [own, command.getOptionValue('where'), command.getOptionValue('on')];
  const restored = begins.reduce<Restored>(restore, { words, cause: '' });
  if (restored.cause !== '') throw new UsageError(describe(program, restored));
  if (own !== '' && own !== '-' && existsSync(own) && !isExpression(own))
    throw new UsageError(explainFile(program, command, own));
}

/** A command line in which expressions have their quotes. */
interface Restored {
  /** Undefined if an expression cannot be restored. */
  readonly words: readonly string[] | undefined;
  /** Empty if no expression has lost its quotes. */
  readonly cause: string;
}

/** Restores an expression that begins with a word, and joins it with the words after it that belong to it. */
function restore(before: Restored, begin: unknown): Restored {
  const { words } = before;
  if (words === undefined || typeof begin !== 'string' || begin === '' || begin === '-') return before;
  const start = words.findIndex((word) => word.trim() === begin);
  const after = words.slice(start + 1);
  const option = after.findIndex((word) => /^--?[a-z]/i.test(word));
  const near = option === -1 ? after : after.slice(0, option);
  const isSplit = near.some((word) => OPERATOR_WORDS.includes(word) && word !== '-' && !existsSync(word));
  const length = isSplit ? near.findLastIndex((word) => !isFileName(word)) + 1 : 0;
  const written = [begin, ...near.slice(0, length)].join(' ');
  const whole = restoreQuotes(written);
  const isQuoted = /["']/.test(written) || whole === written || !readsProperty(written) || isExpression(written);
  if (!isSplit && isQuoted) return before;
  return {
    words: isExpression(whole) ? [...words.slice(0, start), whole, ...after.slice(length)] : undefined,
    cause: isSplit ? REMOVED : before.cause || MISSING,
  };
}

const REMOVED = 'Your shell removed the quotes.';
const MISSING = 'The quotes are missing: your shell may have removed them.';

function describe(program: string, { words, cause }: Restored): string {
  const shown = words === undefined ? '.' : `: ${program} ${words.map(quoteForShell).join(' ')}`;
  return `${cause} Put the whole expression in single quotes${shown}`;
}

/** Says how to pass an expression beside a file, or from one. */
function explainFile(program: string, command: Command, file: string): string {
  const path = [program, ...listCommandWords(command)].join(' ');
  const name = command.registeredArguments[0]?.name() ?? '';
  if (name === 'expression' && command.args.length === 1)
    return `${file} is a file, not an expression. To read the expression from it, write: ${path} - < ${quoteForShell(file)}`;
  const others = command.args.slice(1);
  const swapped = others.find((word) => !existsSync(word) && isExpression(word));
  const files = [file, ...others.filter((word) => word !== swapped)].map(quoteForShell).join(' ');
  const example = swapped ?? (EXPRESSIONS[name] as string);
  return `${file} is a file, and the expression comes before the files: ${path} ${quoteForShell(example)} ${files}`;
}

function isExpression(source: string): boolean {
  return check(source).ok;
}

/** Returns whether a source reads a property, with or without the quotes of its name. */
function readsProperty(source: string): boolean {
  return new RegExp(`\\b(?:${SCOPES.join('|')})\\s*\\[`, 'i').test(source);
}

/** Returns whether a word is a file, or looks like the name of one. */
function isFileName(word: string): boolean {
  return existsSync(word) || /[/*]|\.[a-z]/i.test(word.slice(1));
}

const NAME = /\b(properties|event|user)\s*\[\s*([^\]"']+?)\s*\]/gi;
const STRINGS_AND_WORDS = /"[^"]*"|[\p{L}_$][\p{L}\p{N}_$-]*(?:\s+[\p{L}_$][\p{L}\p{N}_$-]*)*/gu;

/** Returns an expression with quotes around the names of properties and the strings that lack them. */
function restoreQuotes(source: string): string {
  const named = source.replace(NAME, (_, scope, name) => `${scope}["${name}"]`);
  return named.replace(STRINGS_AND_WORDS, (found, offset: number) => {
    return found.startsWith('"') ? found : quoteWords(found, named.slice(offset + found.length));
  });
}

/** Quotes each run of words that are not words of the language. */
function quoteWords(text: string, after: string): string {
  const words = text.split(/\s+/);
  const quoted: string[] = [];
  let run: string[] = [];
  const flush = () => {
    if (run.length > 0) quoted.push(`"${run.join(' ')}"`);
    run = [];
  };
  for (const [index, word] of words.entries()) {
    const next = index === words.length - 1 ? after.trimStart()[0] : undefined;
    const lower = word.toLowerCase();
    const isKnown =
      KEYWORDS.includes(lower) || (next === '[' && SCOPES.includes(lower)) || (next === '(' && lower in FUNCTIONS);
    if (isKnown) {
      flush();
      quoted.push(word);
    } else {
      run.push(word);
    }
  }
  flush();
  return quoted.join(' ');
}

/** Quotes a word for a POSIX shell if it needs quotes. */
export function quoteForShell(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
