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

/** The kinds of code actions that the server offers. */
export const ACTION_KINDS = [CodeActionKind.QuickFix, FIX_ALL];

type Fixable = Diagnostic & { readonly fix: Fix };

/** Returns the code actions of a range: a quick fix per diagnostic, and one that fixes the whole document. */
export function getCodeActions(
  document: TextDocument,
  { range, context }: Pick<CodeActionParams, 'range' | 'context'>,
  settings: Settings,
): CodeAction[] {
  const isRequested = (kind: string) => context.only?.some((only) => `${kind}.`.startsWith(`${only}.`)) ?? true;
  const fixable = findDiagnostics(document.getText(), settings).filter(
    (found): found is Fixable => found.fix !== undefined,
  );
  const here = fixable.filter(({ span }) => touches(document, range, span));
  const actions = isRequested(CodeActionKind.QuickFix) ? here.map((found) => createQuickFix(document, found)) : [];
  // Without a requested kind, a second action for a single fix would be redundant.
  if (isRequested(FIX_ALL) && fixable.length > (context.only ? 0 : 1)) actions.push(createFixAll(document, fixable));
  return actions;
}

function createQuickFix(document: TextDocument, found: Fixable): CodeAction {
  return {
    title: describeFix(found.fix, document.getText()),
    kind: CodeActionKind.QuickFix,
    diagnostics: [toDiagnostic(document, found)],
    isPreferred: true,
    edit: createEdit(document, [found.fix]),
  };
}

function createFixAll(document: TextDocument, fixable: readonly Fixable[]): CodeAction {
  const disjoint: Fix[] = [];
  for (const { fix } of fixable) if (fix.span.start >= (disjoint.at(-1)?.span.end ?? 0)) disjoint.push(fix);
  return { title: 'Fix all auto-fixable problems', kind: FIX_ALL, edit: createEdit(document, disjoint) };
}

function createEdit(document: TextDocument, fixes: readonly Fix[]): WorkspaceEdit {
  const edits = fixes.map(({ span, text }) => ({ range: toRange(document, span), newText: text }));
  return { changes: { [document.uri]: edits } };
}

/** Tells whether a span and a range overlap or touch. */
function touches(document: TextDocument, { start, end }: Range, span: Diagnostic['span']): boolean {
  return span.start <= document.offsetAt(end) && document.offsetAt(start) <= span.end;
}
