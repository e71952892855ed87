import { createElement } from '../../editor/dom.ts';
import { QUERIES, type QuestionName } from './queries.ts';
import { formatQuestionLink, type QuestionState } from './state.ts';

/** Creates a link to each question that keeps the values of the current one. Queries of one form have one link. */
export function createQuestionLinks(state: QuestionState): HTMLElement[] {
  const { title: shown } = QUERIES[state.query];
  const first = new Map<string, QuestionName>();
  for (const [name, { title }] of Object.entries(QUERIES)) {
    if (!first.has(title)) first.set(title, name as QuestionName);
  }
  return Array.from(first, ([title, query]) => {
    const current = title === shown ? { 'aria-current': 'page' } : {};
    return createElement('a', { href: `#${formatQuestionLink({ ...state, query })}`, ...current }, title);
  });
}
