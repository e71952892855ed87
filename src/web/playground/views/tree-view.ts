import { explain, trace } from '../../../api/explain.ts';
import type { CheckOptions } from '../../../api/expressions.ts';
import type { Explained } from '../../../lang/explain/explain-tree.ts';
import type { Traced } from '../../../lang/explain/trace-tree.ts';
import { why } from '../../../lang/explain/why.ts';
import { showTypes } from '../../../lang/types.ts';
import { escapeUnprintable, pluralize, truncate } from '../../../lang/util/strings.ts';
import { showValue } from '../../../lang/value.ts';
import { createElement } from '../../shared/dom.ts';
import type { EventRow } from '../events/messages.ts';

/** Columns of code and of a value, and of the event as JSON. */
const MAX_CODE_WIDTH = 160;
const MAX_VALUE_WIDTH = 60;
const MAX_EVENT_LENGTH = 20_000;

/** An expression to show, and how it is checked. */
export interface Shown {
  readonly title: string;
  readonly source: string;
  readonly options: CheckOptions;
}

/** Shows expressions as trees: the types of each part and, for an event, its value and why the whole is what it is. */
export class TreeView {
  constructor(private readonly panel: HTMLElement) {}

  /** Shows the expressions, on an event where one is selected. */
  show(expressions: readonly Shown[], row: EventRow | undefined, now: number): void {
    const hint = 'Select an event in the table of events to see what each part is there.';
    const head = row === undefined ? createElement('p', { class: 'hint' }, hint) : eventDetails(row);
    const trees = expressions.map((shown) => (row === undefined ? explained(shown) : traced(shown, row, now)));
    this.panel.replaceChildren(head, ...trees);
  }
}

function eventDetails({ index, line, event, time, properties, user }: EventRow): HTMLElement {
  const json = JSON.stringify({ event, time, properties, user }, undefined, 2);
  return createElement(
    'details',
    { class: 'event' },
    createElement('summary', {}, `On event #${index + 1}, line ${line}`),
    createElement(
      'pre',
      { tabindex: '0', 'aria-label': 'The event as JSON' },
      json
        .split('\n')
        .map((text) => escapeUnprintable(text))
        .join('\n')
        .slice(0, MAX_EVENT_LENGTH),
    ),
  );
}

function explained({ title, source, options }: Shown): HTMLElement {
  const { tree, cost } = explain(source, options);
  const facts = `At most ${pluralize(cost.reads, 'read')}, ${pluralize(cost.operations, 'operation')} and ${pluralize(cost.scans, 'scan')} for each event.`;
  return section(title, [createElement('p', { class: 'hint' }, facts)], tree);
}

function traced({ title, source, options }: Shown, { properties, user }: EventRow, now: number): HTMLElement {
  const tree = trace(source, properties, user, { ...options, now });
  const reasons = why(tree).map(({ message }) => createElement('li', {}, escapeUnprintable(message)));
  return section(title, [createElement('ul', { class: 'reasons' }, ...reasons)], tree);
}

function section(title: string, about: readonly HTMLElement[], tree: Explained | Traced): HTMLElement {
  return createElement(
    'section',
    {},
    createElement('h3', {}, title),
    ...about,
    createElement('ul', { class: 'tree' }, node(tree)),
  );
}

function node(shown: Explained | Traced): HTMLElement {
  const { code, types, children, kind } = shown;
  const found = outcome(shown);
  // The items of a written list stand in its code and say nothing more.
  const below = kind === 'membership' ? children.slice(0, 1) : children;
  return createElement(
    'li',
    {},
    createElement('code', {}, escapeUnprintable(truncate(code, MAX_CODE_WIDTH))),
    ...(found === undefined ? [] : [' ', found]),
    ' ',
    createElement('span', { class: 'types' }, showTypes(types)),
    ...(below.length > 0 ? [createElement('ul', {}, ...below.map(node))] : []),
  );
}

/** What a part is on an event; nothing where no event was looked at, and for a literal. */
function outcome(shown: Explained | Traced): HTMLElement | undefined {
  if (shown.kind === 'literal') return undefined;
  if ('error' in shown && shown.error !== undefined) return createElement('span', { class: 'value error' }, 'fails');
  if ('missing' in shown && shown.missing) return createElement('span', { class: 'value' }, 'missing');
  return 'value' in shown
    ? createElement('span', { class: 'value' }, escapeUnprintable(truncate(showValue(shown.value), MAX_VALUE_WIDTH)))
    : undefined;
}
