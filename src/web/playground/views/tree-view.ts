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

/** The maximum number of characters of code, of a value, and of the event as JSON. */
const MAX_CODE_WIDTH = 160;
const MAX_VALUE_WIDTH = 60;
const MAX_EVENT_LENGTH = 20_000;

/** An expression to show, and the options to check it with. */
export interface Shown {
  readonly title: string;
  readonly source: string;
  readonly options: CheckOptions;
}

/** Shows expressions as trees: the types of each part and, for an event, its value and the reasons for the result. */
export class TreeView {
  constructor(private readonly panel: HTMLElement) {}

  /** Shows the expressions, evaluated for the selected event if there is one. */
  show(expressions: readonly Shown[], row: EventRow | undefined, now: number): void {
    const hint = 'Select an event in the Events tab to see the value of each part.';
    const head = row === undefined ? createElement('p', { class: 'hint' }, hint) : createEventDetails(row);
    const trees = expressions.map((shown) =>
      row === undefined ? createExplained(shown) : createTraced(shown, row, now),
    );
    this.panel.replaceChildren(head, ...trees);
  }
}

function createEventDetails({ index, line, event, time, properties, user }: EventRow): HTMLElement {
  const json = JSON.stringify({ event, time, properties, user }, undefined, 2);
  return createElement(
    'details',
    { class: 'event' },
    createElement('summary', {}, `Event #${index + 1}, line ${line}`),
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

function createExplained({ title, source, options }: Shown): HTMLElement {
  const { tree, cost } = explain(source, options);
  const facts = `At most ${pluralize(cost.reads, 'read')}, ${pluralize(cost.operations, 'operation')} and ${pluralize(cost.scans, 'scan')} for each event.`;
  return createSection(title, [createElement('p', { class: 'hint' }, facts)], tree);
}

function createTraced({ title, source, options }: Shown, { properties, user }: EventRow, now: number): HTMLElement {
  const tree = trace(source, properties, user, { ...options, now });
  const reasons = why(tree).map(({ message }) => createElement('li', {}, escapeUnprintable(message)));
  return createSection(title, [createElement('ul', { class: 'reasons' }, ...reasons)], tree);
}

function createSection(title: string, about: readonly HTMLElement[], tree: Explained | Traced): HTMLElement {
  return createElement(
    'section',
    {},
    createElement('h3', {}, title),
    ...about,
    createElement('ul', { class: 'tree' }, createNode(tree)),
  );
}

function createNode(shown: Explained | Traced): HTMLElement {
  const { code, types, children, kind } = shown;
  const found = createOutcome(shown);
  // The items of a list literal are already visible in its code.
  const below = kind === 'membership' ? children.slice(0, 1) : children;
  return createElement(
    'li',
    {},
    createElement('code', {}, escapeUnprintable(truncate(code, MAX_CODE_WIDTH))),
    ...(found === undefined ? [] : [' ', found]),
    ' ',
    createElement('span', { class: 'types' }, showTypes(types)),
    ...(below.length > 0 ? [createElement('ul', {}, ...below.map(createNode))] : []),
  );
}

/** Shows the value of a part for the event; undefined without an event, and for literals. */
function createOutcome(shown: Explained | Traced): HTMLElement | undefined {
  if (shown.kind === 'literal') return undefined;
  if ('error' in shown && shown.error !== undefined) return createElement('span', { class: 'value error' }, 'fails');
  if ('missing' in shown && shown.missing) return createElement('span', { class: 'value' }, 'missing');
  return 'value' in shown
    ? createElement('span', { class: 'value' }, escapeUnprintable(truncate(showValue(shown.value), MAX_VALUE_WIDTH)))
    : undefined;
}
