import { createButton, createElement } from '../../editor/dom.ts';
import { OPERATORS } from '../../lang/operators/table.ts';
import { getById } from './dom.ts';

/** Keys that work on every page. */
const SHORTCUTS: readonly (readonly [keys: string, action: string])[] = [
  ['Ctrl-Space', 'Complete a name, a value or an operator'],
  ['Tab', 'Accept a completion'],
  ['Shift-Alt-F', 'Format an expression'],
  ['Ctrl-Z', 'Undo'],
  ['?', 'Show this help, outside of fields'],
];

/** Filters that show what the language can say. */
export const EXAMPLES: readonly (readonly [source: string, meaning: string])[] = [
  ['properties["plan"] == "pro"', 'a property has a value'],
  ['user["country"] in ["DE", "FR"]', 'a property of the user has one of several values'],
  ['"gmail" in properties["email"]', 'a string contains another'],
  ['number(properties["amount"]) > 100', 'a string is read as a number'],
  ['not defined(properties["coupon"])', 'a property is missing'],
  ['properties["created"] > datetime("2025-06-01")', 'a time is after another'],
];

/**
 * Adds the help of the language to the button with the id `help` and to the key `?`.
 *
 * @param shortcuts Further keys of the page.
 * @param use Called with the example that someone chooses.
 */
export function addHelp(shortcuts: typeof SHORTCUTS, use: (example: string) => void): void {
  const dialog = createElement('dialog', { class: 'help', 'aria-label': 'Help' });
  const operators = OPERATORS.map(({ name, summary }) => [name, summary.replaceAll('`', '')] as const);
  dialog.append(
    createButton({ class: 'quiet close', 'aria-label': 'Close help' }, '×', () => dialog.close()),
    ...createList('Examples', EXAMPLES, (source) =>
      createButton({ class: 'link', title: 'Use this filter' }, createElement('code', {}, source), () => {
        dialog.close();
        use(source);
      }),
    ),
    ...createList('Operators and functions', operators, createCode),
    ...createList('Keys', [...shortcuts, ...SHORTCUTS], createCode),
  );
  document.body.append(dialog);
  getById('help').addEventListener('click', () => dialog.showModal());
  document.addEventListener('keydown', (event) => {
    if (event.key === '?' && !isEditable(event.composedPath()[0])) dialog.showModal();
  });
}

function createCode(text: string): HTMLElement {
  return createElement('code', {}, text);
}

function createList(
  title: string,
  rows: readonly (readonly [term: string, text: string])[],
  createTerm: (term: string) => HTMLElement,
): HTMLElement[] {
  const items = rows.flatMap(([term, text]) => [
    createElement('dt', {}, createTerm(term)),
    createElement('dd', {}, text),
  ]);
  return [createElement('h2', {}, title), createElement('dl', {}, ...items)];
}

/** Returns whether keys that are pressed there are text. */
function isEditable(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
