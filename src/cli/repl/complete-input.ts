import { readdirSync } from 'node:fs';
import { complete } from '../../editor/complete.ts';
import type { Completions } from '../../editor/completion.ts';
import type { Schema } from '../../lang/check/schema.ts';
import type { Span } from '../../lang/source.ts';
import { COMMANDS } from './commands.ts';
import { splitInput } from './read-input.ts';

/** Completions for a part of an input. */
export interface Proposals {
  readonly span: Span;
  readonly items: readonly { readonly label: string; readonly insert: string }[];
}

/** Completes commands, their arguments and expressions at an offset of an input. */
export function completeInput(input: string, offset: number, schema: Schema): Proposals {
  const split = splitInput(input);
  if (split === undefined) return stopAtCursor(complete(input, offset, schema));
  const { name, offset: start } = split;
  if (offset < start || (start === input.length && !/\s$/.test(input)))
    return filterTyped(listCommands(' '), input, input.indexOf(name), offset);
  switch (COMMANDS.find((command) => command.name === name)?.argument) {
    case '[expression]':
    case '[filter]':
      return shift(stopAtCursor(complete(input.slice(start), offset - start, schema)), start);
    case '[file]':
    case '<file>':
      return filterTyped(listFiles(input.slice(start, offset)), input, start, offset);
    case '[command]':
      return filterTyped(listCommands(''), input, start, offset);
    default:
      return { span: { start: offset, end: offset }, items: [] };
  }
}

/** Cuts insertions at the place of the cursor: the next Tab completes `properties["`, and not `properties[""]`. */
function stopAtCursor({ span, items }: Completions): Proposals {
  return { span, items: items.map(({ label, insert, cursor }) => ({ label, insert: insert.slice(0, cursor) })) };
}

function shift({ span, items }: Proposals, by: number): Proposals {
  return { span: { start: span.start + by, end: span.end + by }, items };
}

/** Returns the items that begin with the typed text. */
function filterTyped(items: Proposals['items'], input: string, start: number, offset: number): Proposals {
  const typed = input.slice(start, offset);
  return { span: { start, end: offset }, items: items.filter(({ insert }) => insert.startsWith(typed)) };
}

function listCommands(suffix: string): Proposals['items'] {
  return COMMANDS.map(({ name, argument }) => ({ label: name, insert: argument === '' ? name : name + suffix }));
}

/** Lists the files in the folder of a path. Includes hidden files only after a dot. */
function listFiles(path: string): Proposals['items'] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const begun = path.slice(folder.length);
  try {
    const entries = readdirSync(folder === '' ? '.' : folder, { withFileTypes: true });
    return entries
      .filter(({ name }) => begun.startsWith('.') || !name.startsWith('.'))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort()
      .map((name) => ({ label: name, insert: folder + name }));
  } catch {
    return []; // The folder does not exist.
  }
}
