import { ExpressionTypeError } from '../../../lang/errors.ts';
import { escapeUnprintable, formatInteger, pluralize } from '../../../lang/util/strings.ts';
import { createButton, createElement } from '../../shared/dom.ts';
import { formatShare } from '../../shared/page-link.ts';
import type { EventsResult, QueryFailure } from '../events/messages.ts';

/** Says why there is no result yet. */
export function showNoResult(parent: HTMLElement): void {
  parent.replaceChildren(createElement('p', { class: 'hint' }, 'No results yet: the query has an error.'));
}

/** Shows how many events match, or why the query failed. `isCurrent` is false if the editors have changed since. */
export function showSummary(
  parent: HTMLElement,
  { events, matching, users, failure }: EventsResult,
  isCurrent: boolean,
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
  parent.replaceChildren(failure === undefined ? counts : createFailure(failure, goTo), ...(isCurrent ? [] : [stale]));
  parent.classList.toggle('stale', !isCurrent);
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
      `Query failed: the ${part === 'where' ? 'filter' : 'grouping'} does not work for one of the events.`,
    ),
    createElement('p', {}, escapeUnprintable(`${diagnostic?.message ?? ''} ${diagnostic?.help ?? ''}`)),
    createButton({}, `Show event #${index + 1}`, () => goTo(index)),
  );
}
