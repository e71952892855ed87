import type { Schema } from '../lang/check/schema.ts';
import type { Span } from '../lang/source.ts';
import { complete } from './complete.ts';
import type { Completion } from './completion.ts';

/** The characters that open the list of completions. */
export const TRIGGERS = ['"', "'", '[', '(', ' '];

/** A completion in the list of an editor that filters and sorts items itself, as the language server protocol describes. */
export interface ListItem extends Completion {
  readonly filterText: string;
  readonly sortText: string;
  /** The inserted string as a snippet, with the cursor at `$0`. */
  readonly snippet: string;
}

/**
 * Returns the completions at an offset, best first, for an editor that filters and sorts them itself.
 *
 * @param trigger The character that opened the list, if one did.
 */
export function listCompletions(
  source: string,
  offset: number,
  schema: Schema | undefined,
  trigger: string | undefined,
): { readonly span: Span; readonly items: readonly ListItem[] } {
  const { span, items } = complete(source, offset, schema);
  const typed = source.slice(span.start, offset);
  // After an operand and a space, the next key may be Enter: a list that opens by itself would take it.
  const isUnwanted = trigger === ' ' && items.every(({ kind }) => kind === 'operator');
  const listed = (isUnwanted ? [] : items).map((item, index) => ({
    ...item,
    // The items are already filtered, so the filter text starts with the typed string. While the user types on, the
    // editor filters by label until the next list arrives.
    filterText: typed + item.label,
    sortText: String(index).padStart(6, '0'),
    snippet: formatSnippet(item),
  }));
  return { span, items: listed };
}

function formatSnippet({ insert, cursor = insert.length }: Completion): string {
  const escapeSnippet = (text: string) => text.replace(/[\\$}]/g, '\\$&');
  return `${escapeSnippet(insert.slice(0, cursor))}$0${escapeSnippet(insert.slice(cursor))}`;
}
