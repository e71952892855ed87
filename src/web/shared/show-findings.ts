import type { CheckResult } from '../../api/expressions.ts';
import { describeFix } from '../../editor/diagnostics.ts';
import type { Diagnostic } from '../../lang/diagnostic.ts';
import { positionAt } from '../../lang/source.ts';
import { showTypes } from '../../lang/types.ts';
import { escapeUnprintable, formatProperty } from '../../lang/util/strings.ts';
import { createButton, createElement } from './dom.ts';
import type { Editor } from './editor.ts';

/** Shows the diagnostics of an expression with their fixes, its types, and the properties that it reads. */
export function showFindings(parent: HTMLElement, editor: Editor, result: CheckResult): void {
  const { diagnostics, types, properties } = result;
  const found = diagnostics.map((diagnostic) => createItem(diagnostic, editor));
  const list = found.length > 0 ? [createElement('ul', { class: 'diagnostics' }, ...found)] : [];
  const read = properties.map(({ scope, name }) => formatProperty(scope, name)).join(', ');
  const facts = createElement(
    'p',
    { class: 'facts' },
    createElement('span', { class: 'types' }, showTypes(types)),
    ...(read === '' ? [] : [' · reads ', createElement('code', {}, read)]),
  );
  parent.replaceChildren(...list, ...(types.length > 0 ? [facts] : []));
}

function createItem({ severity, code, message, help, span, fix }: Diagnostic, editor: Editor): HTMLElement {
  const { line, column } = positionAt(editor.text, span.start);
  const position = line === 1 ? `column ${column}` : `line ${line}, column ${column}`;
  const item = createElement(
    'li',
    { class: severity, 'data-code': code },
    createElement('strong', {}, severity === 'error' ? 'Error' : 'Warning'),
    ` ${escapeUnprintable(message)} `,
    createButton({ class: 'place' }, position, () => editor.select(span)),
  );
  if (help !== undefined) item.append(createElement('p', {}, escapeUnprintable(help)));
  if (fix !== undefined) {
    const title = escapeUnprintable(describeFix(fix, editor.text));
    item.append(createButton({ class: 'fix' }, title, () => editor.replace(fix.span, fix.text)));
  }
  return item;
}
