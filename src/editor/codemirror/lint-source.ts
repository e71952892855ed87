import type { Action, Diagnostic, LintSource } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import type { Fix, Diagnostic as Found } from '../../lang/diagnostic.ts';
import { describeDiagnostic, describeFix, findDiagnostics } from '../diagnostics.ts';
import { assertOnwhereOptions, type OnwhereOptions } from './onwhere-options.ts';

/** What the checker finds, as `linter` asks for it, each fix as an action. */
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

function toDiagnostic(source: string, found: Found, page: string | undefined): Diagnostic {
  const { severity, span, fix } = found;
  return {
    from: span.start,
    to: span.end,
    severity,
    message: describeDiagnostic(found),
    ...(page !== undefined && { renderMessage: () => messageWithLink(found, page) }),
    actions: fix === undefined ? [] : [action(source, span.start, fix)],
  };
}

function messageWithLink(found: Found, page: string): HTMLElement {
  const dom = document.createElement('span');
  const link = document.createElement('a');
  Object.assign(link, { href: page, target: '_blank', rel: 'noopener', textContent: found.code });
  dom.append(`${describeDiagnostic(found)} `, link);
  return dom;
}

/** The diagnostic may have moved since; where what it mends has changed as well, it is out of date. */
function action(source: string, start: number, fix: Fix): Action {
  return {
    name: describeFix(fix, source),
    apply(view: EditorView, from: number) {
      const moved = from - start;
      const change = { from: fix.span.start + moved, to: fix.span.end + moved, insert: fix.text };
      if (view.state.sliceDoc(change.from, change.to) !== source.slice(fix.span.start, fix.span.end)) return;
      view.dispatch({ changes: change, userEvent: 'input.fix', scrollIntoView: true });
    },
  };
}
