import { ExpressionTypeError } from '../../../lang/errors.ts';
import { escapeUnprintable, formatInteger, pluralize } from '../../../lang/util/strings.ts';
import { createButton, createElement } from '../../shared/dom.ts';
import { share } from '../../shared/page-link.ts';
import type { EventsAnswer, OpenFailure } from '../events/messages.ts';

/** Says that there is no answer for as long as there is none. */
export function showNoAnswer(parent: HTMLElement): void {
  parent.replaceChildren(createElement('p', { class: 'hint' }, 'There is no answer yet: the query has an error.'));
}

/** Says how many events match, or what made the query fail. `current` tells whether this is about what stands in the editors. */
export function showSummary(
  parent: HTMLElement,
  { events, matching, users, failure }: EventsAnswer,
  current: boolean,
  goTo: (index: number) => void,
): void {
  const counts = createElement(
    'p',
    {},
    createElement('strong', { class: 'count' }, formatInteger(matching)),
    ` of ${pluralize(events, 'event')} ${matching === 1 ? 'matches' : 'match'}`,
    ...(events > 0 ? [` (${share(matching, events)})`] : []),
    ...(users > 0 ? [` from ${pluralize(users, 'user')}`] : []),
  );
  const stale = createElement('p', { class: 'hint' }, 'This is the answer to the last query that could be asked.');
  parent.replaceChildren(failure === undefined ? counts : failed(failure, goTo), ...(current ? [] : [stale]));
  parent.classList.toggle('stale', !current);
}

function failed(
  { index, part, source, operator, found, span }: OpenFailure,
  goTo: (index: number) => void,
): HTMLElement {
  const [diagnostic] = new ExpressionTypeError(source, operator, found, span).diagnostics;
  return createElement(
    'div',
    { class: 'error' },
    createElement(
      'p',
      {},
      `The ${part === 'where' ? 'filter' : 'segmentation'} fails on an event, which fails the query.`,
    ),
    createElement('p', {}, escapeUnprintable(`${diagnostic?.message ?? ''} ${diagnostic?.help ?? ''}`)),
    createButton({}, `Show event #${index + 1}`, () => goTo(index)),
  );
}
