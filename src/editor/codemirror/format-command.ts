import { forceLinting } from '@codemirror/lint';
import { type ChangeSet, EditorSelection } from '@codemirror/state';
import type { Command } from '@codemirror/view';
import type { Fix } from '../../lang/diagnostic.ts';
import { assertFunction, assertObject, assertParts } from '../../lang/util/guard.ts';
import { formatEdits } from '../format-edits.ts';

/** Writes the expression in its canonical form. Of a text that is none it shows at once what is wrong. */
export const formatCommand: Command = (view) => {
  assertParts(view, 'view', { state: assertObject, dispatch: assertFunction }, 'an `EditorView`');
  const { doc, readOnly, selection } = view.state;
  if (readOnly) return false;
  const edits = formatEdits(doc.toString());
  if (edits === undefined) {
    forceLinting(view);
    return true;
  }
  const changes = view.state.changes(edits.map(({ span, text }) => ({ from: span.start, to: span.end, insert: text })));
  const ranges = selection.ranges.map(({ anchor, head }) => {
    return EditorSelection.range(moved(anchor, edits, changes), moved(head, edits, changes));
  });
  view.dispatch({
    changes,
    selection: EditorSelection.create(ranges, selection.mainIndex),
    userEvent: 'format',
    scrollIntoView: true,
  });
  return true;
};

/** Where a place is afterwards; one within what is replaced stays as far within it. */
function moved(place: number, edits: readonly Fix[], changes: ChangeSet): number {
  const around = edits.find(({ span }) => span.start < place && place < span.end);
  if (around === undefined) return changes.mapPos(place);
  return changes.mapPos(around.span.start) + Math.min(place - around.span.start, around.text.length);
}
