import { forceLinting } from '@codemirror/lint';
import { type ChangeSet, EditorSelection } from '@codemirror/state';
import type { Command } from '@codemirror/view';
import { assertFunction, assertObject, assertParts } from '../../base/guard.ts';
import type { Fix } from '../../lang/diagnostic.ts';
import { formatEdits } from '../format-edits.ts';

/**
 * A CodeMirror command that formats the expression. After a syntax error, it shows the diagnostics instead.
 */
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
    return EditorSelection.range(movePosition(anchor, edits, changes), movePosition(head, edits, changes));
  });
  view.dispatch({
    changes,
    selection: EditorSelection.create(ranges, selection.mainIndex),
    userEvent: 'format',
    scrollIntoView: true,
  });
  return true;
};

/** Returns the new offset of a position. One inside a replaced span keeps its distance from the start of the span. */
function movePosition(position: number, edits: readonly Fix[], changes: ChangeSet): number {
  const around = edits.find(({ span }) => span.start < position && position < span.end);
  if (around === undefined) return changes.mapPos(position);
  return changes.mapPos(around.span.start) + Math.min(position - around.span.start, around.text.length);
}
