import type { CheckResult } from '../../api/expressions.ts';
import { escapeUnprintable, formatProperty } from '../../base/strings.ts';
import type { Diagnostic, DiagnosticCode } from '../../lang/diagnostic.ts';
import { positionAt, type Span } from '../../lang/source.ts';
import { showTypes } from '../../lang/types.ts';
import { describeFix } from '../diagnostics.ts';
import { createButton, createElement } from '../dom.ts';
import type { TextField } from './text-field.ts';

/** A finding about an expression that its check cannot have, such as a name that no record has. */
export interface FilterNote {
  readonly message: string;
  /** Its places, in the order of the source. */
  readonly spans: readonly [Span, ...Span[]];
  /** A replacement, if one is likely. */
  readonly replacement: string | undefined;
}

/** The diagnostics that an {@link FilterNote} at the same place says with counts. */
const ABSENT_CODES: ReadonlySet<string> = new Set(['unknown-property', 'unknown-value'] satisfies DiagnosticCode[]);

/**
 * Shows the diagnostics of an expression with their fixes, what no event has, its types, and the properties that it
 * reads.
 */
export function showFindings(
  parent: HTMLElement,
  editor: TextField,
  result: CheckResult,
  absent: readonly FilterNote[] = [],
): void {
  const { diagnostics, types, properties } = result;
  const starts = new Set(absent.flatMap(({ spans }) => spans.map(({ start }) => start)));
  const others = diagnostics.filter(({ code, span }) => !ABSENT_CODES.has(code) || !starts.has(span.start));
  const found = [
    ...others.map((diagnostic) => createItem(diagnostic, editor)),
    ...absent.map((finding) => createAbsentItem(finding, editor)),
  ];
  const list = found.length > 0 ? [createElement('ul', { class: 'diagnostics' }, ...found)] : [];
  const read = properties.map(({ scope, name }) => formatProperty(scope, name)).join(', ');
  // A condition is no news.
  const isCondition = types.every((type) => type === 'boolean' || type === 'undefined');
  const facts = [
    ...(isCondition ? [] : [createElement('span', { class: 'types' }, showTypes(types))]),
    ...(isCondition || read === '' ? [] : [' · ']),
    ...(read === '' ? [] : ['reads ', createElement('code', {}, read)]),
  ];
  const isKnown = types.length > 0 && facts.length > 0;
  parent.replaceChildren(...list, ...(isKnown ? [createElement('p', { class: 'facts' }, ...facts)] : []));
}

function createAbsentItem({ message, spans, replacement }: FilterNote, editor: TextField): HTMLElement {
  const item = createElement(
    'li',
    { class: 'warning', 'data-code': 'absent' },
    createElement('strong', {}, 'Warning'),
    ` ${escapeUnprintable(message)} `,
    createPlace(spans[0], editor),
  );
  if (replacement === undefined) return item;
  const replace = () => {
    for (const span of spans.toReversed()) editor.replace(span, replacement);
  };
  item.append(
    createButton({ class: 'fix', part: 'button' }, escapeUnprintable(`Replace with ${replacement}`), replace),
  );
  return item;
}

/** Creates the button that selects a place in the editor. */
function createPlace(span: Span, editor: TextField): HTMLElement {
  const { line, column } = positionAt(editor.text, span.start);
  const position = line === 1 ? `column ${column}` : `line ${line}, column ${column}`;
  return createButton({ class: 'place' }, position, () => editor.select(span));
}

function createItem({ severity, code, message, help, span, fix }: Diagnostic, editor: TextField): HTMLElement {
  const item = createElement(
    'li',
    { class: severity, 'data-code': code },
    createElement('strong', {}, severity === 'error' ? 'Error' : 'Warning'),
    ` ${escapeUnprintable(message)} `,
    createPlace(span, editor),
  );
  if (help !== undefined) item.append(createElement('p', {}, escapeUnprintable(help)));
  if (fix !== undefined) {
    const title = escapeUnprintable(describeFix(fix, editor.text));
    item.append(createButton({ class: 'fix', part: 'button' }, title, () => editor.replace(fix.span, fix.text)));
  }
  return item;
}
