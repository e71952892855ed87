import { explain, trace } from '../../../api/explain.ts';
import type { CheckOptions } from '../../../api/expressions.ts';
import { escapeUnprintable, pluralize, truncate } from '../../../base/strings.ts';
import { createElement } from '../../../editor/dom.ts';
import type { Explained } from '../../../lang/explain/explain-tree.ts';
import type { Traced } from '../../../lang/explain/trace-tree.ts';
import { why } from '../../../lang/explain/why.ts';
import { showTypes } from '../../../lang/types.ts';
import { showValue } from '../../../lang/value.ts';
import type { EventRow, EventsQuery } from '../../events/messages.ts';

/** Limits in characters: of code, of a value, and of the event as JSON. */
const MAX_CODE_WIDTH = 160;
const MAX_VALUE_WIDTH = 60;
const MAX_EVENT_LENGTH = 20_000;

/** An expression to show, and the options to check it with. */
export interface ShownExpression {
  readonly title: string;
  readonly source: string;
  readonly options: CheckOptions;
}

type Moment = Pick<EventsQuery, 'now' | 'timeZone'>;

/** Shows expressions as trees, with the type of each part. For a selected event, adds values and reasons. */
export class TreeView {
  constructor(private readonly panel: HTMLElement) {}

  /** Shows the expressions, evaluated on the event if one is selected. */
  show(expressions: readonly ShownExpression[], row: EventRow | undefined, moment: Moment): void {
    const hint = 'Select an event on the Events tab to see the value of each part.';
    const head = row === undefined ? createElement('p', { class: 'hint' }, hint) : createEventDetails(row);
    const trees = expressions.map((shown) =>
      row === undefined ? createExplainedTree(shown) : createTracedTree(shown, row, moment),
    );
    this.panel.replaceChildren(head, ...trees);
  }
}

function createEventDetails({ index, line, event, time, properties, user }: EventRow): HTMLElement {
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

function createExplainedTree({ title, source, options }: ShownExpression): HTMLElement {
  const { tree, cost } = explain(source, options);
  const { reads, operations, scans } = cost;
  const work = `${pluralize(reads, 'read')}, ${pluralize(operations, 'operation')} and ${pluralize(scans, 'scan')}`;
  const facts = `At most ${work} per event.`;
  return createSection(title, [createElement('p', { class: 'hint' }, facts)], tree);
}

function createTracedTree(
  { title, source, options }: ShownExpression,
  { properties, user }: EventRow,
  { now, timeZone }: Moment,
): HTMLElement {
  const tree = trace(source, properties, user, { ...options, now, timeZone });
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
  // The items of a list literal are already in its code.
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

/** Creates the value of a part; `undefined` for literals and when no event is selected. */
function createOutcome(shown: Explained | Traced): HTMLElement | undefined {
  if (shown.kind === 'literal') return undefined;
  if ('error' in shown && shown.error !== undefined) return createElement('span', { class: 'value error' }, 'fails');
  if ('missing' in shown && shown.missing) return createElement('span', { class: 'value' }, 'missing');
  return 'value' in shown
    ? createElement('span', { class: 'value' }, escapeUnprintable(truncate(showValue(shown.value), MAX_VALUE_WIDTH)))
    : undefined;
}
