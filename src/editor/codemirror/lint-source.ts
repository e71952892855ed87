import {
  type Action,
  type Diagnostic,
  diagnosticCount,
  forEachDiagnostic,
  type LintSource,
  setDiagnostics,
} from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Fix, Diagnostic as Found } from '../../lang/diagnostic.ts';
import { describeDiagnostic, describeFix, findDiagnostics } from '../diagnostics.ts';
import { assertOnwhereOptions, type OnwhereOptions } from '../onwhere-options.ts';

/**
 * Creates a source for `linter`, with the errors and warnings of the expression. Each fix is an action.
 *
 * @throws {TypeError} for an unknown option, or one of the wrong type.
 */
export function createLintSource(options: OnwhereOptions = {}): LintSource {
  assertOnwhereOptions(options);
  const { diagnosticUrl, ...checkOptions } = options;
  return ({ state }) => {
    const source = state.doc.toString();
    return findDiagnostics(source, checkOptions).map((found) =>
      toDiagnostic(source, found, diagnosticUrl?.(found.code)),
    );
  };
}

/**
 * Removes diagnostics as soon as a change has corrected them. New ones come later, once nothing is typed for a while.
 */
export function createLintCleaner(options: OnwhereOptions = {}): Extension {
  const { diagnosticUrl: _, ...checkOptions } = options;
  return EditorView.updateListener.of(({ docChanged, state, view }) => {
    if (!docChanged || diagnosticCount(state) === 0) return;
    const found = findDiagnostics(state.doc.toString(), checkOptions);
    const left = new Set(found.map((each) => `${each.span.start} ${describeDiagnostic(each)}`));
    const kept: Diagnostic[] = [];
    forEachDiagnostic(state, (shown, from, to) => {
      if (left.has(`${from} ${shown.message}`)) kept.push({ ...shown, from, to });
    });
    if (kept.length < diagnosticCount(state)) view.dispatch(setDiagnostics(state, kept));
  });
}

function toDiagnostic(source: string, found: Found, page: string | undefined): Diagnostic {
  const { severity, span, fix } = found;
  return {
    from: span.start,
    to: span.end,
    severity,
    message: describeDiagnostic(found),
    ...(page !== undefined && { renderMessage: () => renderMessageWithLink(found, page) }),
    actions: fix === undefined ? [] : [createAction(source, span.start, fix)],
  };
}

function renderMessageWithLink(found: Found, page: string): HTMLElement {
  const dom = document.createElement('span');
  const link = document.createElement('a');
  Object.assign(link, { href: page, target: '_blank', rel: 'noopener', textContent: found.code });
  dom.append(`${describeDiagnostic(found)} `, link);
  return dom;
}

/** Creates the action of a fix. It follows a diagnostic that has moved, and does nothing if its code has changed. */
function createAction(source: string, start: number, fix: Fix): Action {
  return {
    name: describeFix(fix, source),
    apply(view: EditorView, from: number) {
      const offset = from - start;
      const change = { from: fix.span.start + offset, to: fix.span.end + offset, insert: fix.text };
      if (view.state.sliceDoc(change.from, change.to) !== source.slice(fix.span.start, fix.span.end)) return;
      view.dispatch({ changes: change, userEvent: 'input.fix', scrollIntoView: true });
    },
  };
}
