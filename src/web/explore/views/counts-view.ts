import { escapeUnprintable, pluralize, truncate } from '../../../base/strings.ts';
import type { ClauseCounts, FilterCounts } from '../../../data/clause-counts.ts';
import { COUNTS_LEGEND, describePart } from '../../../data/describe-clauses.ts';
import { createElement } from '../../../editor/dom.ts';
import type { EventsQuery, EventsResult } from '../../events/messages.ts';

/** Limit of code in characters. */
const MAX_CODE_WIDTH = 160;

/** Shows how many events each part of the filter removes. Counts only while it is open, or if no event matches. */
export class CountsView {
  private readonly details = createElement('details', { class: 'counts' });
  private readonly content = createElement('div');
  private query: EventsQuery | undefined;
  /** The query whose counts are shown or on their way. */
  private counted: EventsQuery | undefined;
  /** Whether the view opened itself. */
  private isAutomatic = false;

  constructor(
    parent: HTMLElement,
    private readonly count: (query: EventsQuery) => Promise<FilterCounts | undefined>,
  ) {
    const summary = createElement('summary', {}, 'What each part of the filter removes');
    summary.addEventListener('click', () => {
      this.isAutomatic = false;
    });
    this.details.append(summary, this.content);
    this.details.addEventListener('toggle', () => void this.load());
    this.details.hidden = true;
    parent.append(this.details);
  }

  /** Shows the counts of a result, at once if its filter matches no event. */
  show({ query, events, matching, failure }: EventsResult): void {
    this.query = query;
    this.details.hidden = query.where.trim() === '' || failure !== undefined || events === 0;
    const isEmpty = !this.details.hidden && matching === 0;
    if (isEmpty && !this.details.open) {
      this.isAutomatic = true;
      this.details.open = true;
    } else if (!isEmpty && this.isAutomatic) {
      this.isAutomatic = false;
      this.details.open = false;
    }
    void this.load();
  }

  private async load(): Promise<void> {
    const { query, details } = this;
    if (query === undefined || details.hidden || !details.open || query === this.counted) return;
    this.counted = query;
    const counts = await this.count(query);
    if (counts !== undefined && query === this.query) this.content.replaceChildren(...createCounts(counts));
  }
}

function createCounts({ records, tree }: FilterCounts): HTMLElement[] {
  return [
    createElement('p', {}, pluralize(records, 'event')),
    createElement('ul', { class: 'tree' }, createPart(tree, true)),
    ...(tree.clauses.length === 0 ? [] : [createElement('p', { class: 'hint' }, COUNTS_LEGEND.replaceAll('`', ''))]),
  ];
}

/** @param removes Whether the events that a part does not match are lost: not inside of `or` or `not`. */
function createPart(part: ClauseCounts, removes: boolean): HTMLElement {
  const { kind, code, clauses } = part;
  const below = clauses.map((clause) => createPart(clause, removes && kind === 'and'));
  return createElement(
    'li',
    {},
    createElement('code', {}, escapeUnprintable(truncate(kind === 'clause' ? code : kind, MAX_CODE_WIDTH))),
    ' ',
    createElement('span', { class: 'value' }, escapeUnprintable(describePart(part, removes))),
    ...(below.length > 0 ? [createElement('ul', {}, ...below)] : []),
  );
}
