import { escapeUnprintable, formatInteger, pluralize } from '../../../base/strings.ts';
import { createButton, createElement } from '../../../editor/dom.ts';
import { ExpressionTypeError } from '../../../lang/errors.ts';
import type { EventsResult, QueryFailure } from '../../events/messages.ts';
import { formatShare } from '../../shared/page-link.ts';

/** Shows that an invalid query has no result. */
export function showQueryError(parent: HTMLElement): void {
  parent.replaceChildren(createElement('p', { class: 'hint' }, 'Query failed: see the error in the form.'));
}

/**
 * Shows how many events match, or why the query failed.
 *
 * @param current Whether the result belongs to the expressions in the editors.
 */
export function showSummary(
  parent: HTMLElement,
  { events, matching, users, failure }: EventsResult,
  current: boolean,
  goTo: (index: number) => void,
): void {
  const counts = createElement(
    'p',
    {},
    createElement('strong', { class: 'count' }, formatInteger(matching)),
    ` of ${pluralize(events, 'event')} ${matching === 1 ? 'matches' : 'match'}`,
    ...(events > 0 ? [` (${formatShare(matching, events)})`] : []),
    ...(users > 0 ? [` from ${pluralize(users, 'user')}`] : []),
  );
  const stale = createElement('p', { class: 'hint' }, 'Showing results of your last valid query.');
  parent.replaceChildren(failure === undefined ? counts : createFailure(failure, goTo), ...(current ? [] : [stale]));
  parent.classList.toggle('stale', !current);
}

function createFailure(
  { index, part, source, operator, found, span }: QueryFailure,
  goTo: (index: number) => void,
): HTMLElement {
  const [diagnostic] = new ExpressionTypeError(source, operator, found, span).diagnostics;
  return createElement(
    'div',
    { class: 'error' },
    createElement(
      'p',
      {},
      `Query failed: “${part === 'where' ? 'Filter' : 'Group by'}” raised a type error on an event.`,
    ),
    createElement('p', {}, escapeUnprintable(`${diagnostic?.message ?? ''} ${diagnostic?.help ?? ''}`)),
    createButton({}, `Show event #${index + 1}`, () => goTo(index)),
  );
}
