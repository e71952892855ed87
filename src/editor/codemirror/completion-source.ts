import {
  type Completion,
  type CompletionSource,
  insertBracket,
  insertCompletionText,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import type { TransactionSpec } from '@codemirror/state';
import { complete } from '../complete.ts';
import type { CompletionKind, Completion as Item } from '../completion.ts';
import { assertOnwhereOptions, type OnwhereOptions } from '../onwhere-options.ts';
import { renderDocumentation } from './render-documentation.ts';

/** The icon of each kind. */
const ICONS: Readonly<Record<CompletionKind, string>> = {
  value: 'text',
  property: 'property',
  scope: 'variable',
  function: 'function',
  constant: 'constant',
  operator: 'keyword',
};

/**
 * Creates a completion source for `autocompletion`.
 *
 * The list opens by itself after `[` and while a word is incomplete. Elsewhere it stays closed, so that Enter inserts a
 * line break; Ctrl-Space opens it.
 *
 * @throws {TypeError} for an unknown option, or one of the wrong type.
 */
export function createCompletionSource(options: OnwhereOptions = {}): CompletionSource {
  assertOnwhereOptions(options);
  const { schema } = options;
  return ({ state, pos, explicit }) => {
    const source = state.doc.toString();
    const { span, items } = complete(source, pos, schema);
    const typed = source.slice(span.start, span.end);
    const isBegun = span.start < pos || source.charAt(pos - 1) === '[';
    const isWhole = span.end === pos && items.some(({ insert }) => insert === typed);
    if (items.length === 0 || (!explicit && (!isBegun || isWhole))) return null;
    return { from: span.start, to: span.end, options: items.map(toCodeMirrorCompletion), filter: false };
  };
}

function toCodeMirrorCompletion({ label, insert, cursor, kind, detail, documentation }: Item): Completion {
  return {
    label,
    apply: cursor === undefined ? insert : insertWithCursor(insert, cursor),
    type: ICONS[kind],
    ...(detail !== undefined && { detail }),
    ...(documentation !== undefined && { info: () => renderDocumentation(documentation) }),
  };
}

/**
 * Inserts a completion with the cursor inside its brackets or quotes, and opens the list there. They are inserted as if
 * typed, so that typing the closing one moves over it.
 */
function insertWithCursor(insert: string, cursor: number): Exclude<Completion['apply'], string | undefined> {
  const word = insert.slice(0, cursor).replace(/[[("]+$/, '');
  return (view, completion, from, to) => {
    const annotations = pickedCompletion.of(completion);
    view.dispatch({ ...insertCompletionText(view.state, word, from, to), annotations });
    for (let opening = word.length; opening < cursor; opening++) {
      const pair = insert.charAt(opening) + insert.charAt(insert.length - 1 - opening + word.length);
      view.dispatch(insertBracket(view.state, pair.charAt(0)) ?? insertPair(view.state.selection.main.head, pair));
    }
    startCompletion(view);
  };
}

function insertPair(position: number, pair: string): TransactionSpec {
  return { changes: { from: position, insert: pair }, selection: { anchor: position + 1 } };
}
