import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, Fix } from '../../lang/diagnostic.ts';
import { describeFix, findDiagnostics } from '../diagnostics.ts';
import { toDiagnostic } from './features.ts';
import { toRange } from './protocol.ts';
import type { Settings } from './settings.ts';

const FIX_ALL = `${CodeActionKind.SourceFixAll}.onwhere`;

/** The kinds of actions that there are. */
export const ACTION_KINDS = [CodeActionKind.QuickFix, FIX_ALL];

type Fixable = Diagnostic & { readonly fix: Fix };

/** What mends a document: each mistake in the range that was asked about, and all of them at once. */
export function getCodeActions(
  document: TextDocument,
  { range, context }: Pick<CodeActionParams, 'range' | 'context'>,
  settings: Settings,
): CodeAction[] {
  const asked = (kind: string) => context.only?.some((only) => `${kind}.`.startsWith(`${only}.`)) ?? true;
  const fixable = findDiagnostics(document.getText(), settings).filter(
    (found): found is Fixable => found.fix !== undefined,
  );
  const here = fixable.filter(({ span }) => touches(document, range, span));
  const actions = asked(CodeActionKind.QuickFix) ? here.map((found) => quickFix(document, found)) : [];
  // Where nothing was asked for in particular, a single fix is enough of a choice.
  if (asked(FIX_ALL) && fixable.length > (context.only ? 0 : 1)) actions.push(fixAll(document, fixable));
  return actions;
}

function quickFix(document: TextDocument, found: Fixable): CodeAction {
  return {
    title: describeFix(found.fix, document.getText()),
    kind: CodeActionKind.QuickFix,
    diagnostics: [toDiagnostic(document, found)],
    isPreferred: true,
    edit: editOf(document, [found.fix]),
  };
}

function fixAll(document: TextDocument, fixable: readonly Fixable[]): CodeAction {
  const apart: Fix[] = [];
  for (const { fix } of fixable) if (fix.span.start >= (apart.at(-1)?.span.end ?? 0)) apart.push(fix);
  return { title: 'Fix everything with a certain fix', kind: FIX_ALL, edit: editOf(document, apart) };
}

function editOf(document: TextDocument, fixes: readonly Fix[]): WorkspaceEdit {
  const edits = fixes.map(({ span, text }) => ({ range: toRange(document, span), newText: text }));
  return { changes: { [document.uri]: edits } };
}

/** Whether a span and a range have a place in common; the end of one may be the start of the other. */
function touches(document: TextDocument, { start, end }: Range, span: Diagnostic['span']): boolean {
  return span.start <= document.offsetAt(end) && document.offsetAt(start) <= span.end;
}
