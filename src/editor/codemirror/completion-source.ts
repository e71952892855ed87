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
import { assertOnwhereOptions, type OnwhereOptions } from './onwhere-options.ts';
import { renderDocumentation } from './render-documentation.ts';

/** The icon beside each kind. */
const ICONS: Readonly<Record<CompletionKind, string>> = {
  value: 'text',
  property: 'property',
  scope: 'variable',
  function: 'function',
  constant: 'constant',
  operator: 'keyword',
};

/**
 * What could stand at a place, as `autocompletion` asks for it. By itself it comes up in a bracket and where something has been typed
 * that is not whole yet; Enter behind all else is a line break.
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
    return { from: span.start, to: span.end, options: items.map(toOption), filter: false };
  };
}

function toOption({ label, insert, cursor, kind, detail, documentation }: Item): Completion {
  return {
    label,
    apply: cursor === undefined ? insert : applyToFill(insert, cursor),
    type: ICONS[kind],
    ...(detail !== undefined && { detail }),
    ...(documentation !== undefined && { info: () => renderDocumentation(documentation) }),
  };
}

/**
 * Inserts what has a place to fill and offers at once what could stand there. Its brackets and quotes go in as typed ones do, so that
 * typing the closing one steps over it.
 */
function applyToFill(insert: string, cursor: number): Exclude<Completion['apply'], string | undefined> {
  const word = insert.slice(0, cursor).replace(/[[("]+$/, '');
  return (view, completion, from, to) => {
    const annotations = pickedCompletion.of(completion);
    view.dispatch({ ...insertCompletionText(view.state, word, from, to), annotations });
    for (let opening = word.length; opening < cursor; opening++) {
      const pair = insert.charAt(opening) + insert.charAt(insert.length - 1 - opening + word.length);
      view.dispatch(insertBracket(view.state, pair.charAt(0)) ?? insertAround(view.state.selection.main.head, pair));
    }
    startCompletion(view);
  };
}

function insertAround(place: number, pair: string): TransactionSpec {
  return { changes: { from: place, insert: pair }, selection: { anchor: place + 1 } };
}
