import { escapeUnprintable } from '../../base/strings.ts';
import { createElement } from '../../editor/dom.ts';
import { getById } from '../shared/dom.ts';
import type { RequestParameters } from '../shared/query-api.ts';
import type { OnChooseSegment } from '../shared/table.ts';
import type { QueryAnswer } from './ask-query.ts';
import { createDownloads } from './create-downloads.ts';
import type { PageQuery } from './queries.ts';
import type { OnAnnotate } from './views/annotations-view.ts';
import { type CohortRow, CohortsView } from './views/cohorts-view.ts';
import { FunnelView } from './views/funnel-view.ts';
import { LinesView, type OnZoom, sortByTotal } from './views/lines-view.ts';
import { PeopleView } from './views/people-view.ts';
import type { ResultView } from './views/result-view.ts';
import { TopView } from './views/top-view.ts';

/** Shows the result of a query in the view that suits it, and the status of the request. */
export class ResultPanel {
  private readonly views: Readonly<Record<PageQuery['view'], ResultView>>;

  /**
   * @param home Shown until there is a result.
   * @param onChoose Filters by a segment.
   * @param onZoom Shows other dates.
   * @param onAnnotate Adds an annotation to the project.
   * @param loadPage Runs the same query again, with the parameters of another page.
   */
  constructor(
    private readonly home: HTMLElement,
    onChoose: OnChooseSegment,
    onZoom: OnZoom,
    loadPage: (parameters: RequestParameters) => void,
    onAnnotate: OnAnnotate,
  ) {
    this.views = {
      lines: new LinesView(sortByTotal, onZoom, onChoose, onAnnotate),
      ranges: new LinesView((lines) => lines, onZoom),
      top: new TopView(),
      funnel: new FunnelView(),
      retention: new CohortsView({
        toCohort: (value) => value as CohortRow,
        formatTitle: (at, parameters) => {
          const days = parameters.get('interval');
          return days === undefined ? `${parameters.get('unit') ?? 'day'} ${at}` : `day ${at * Number(days)}`;
        },
      }),
      addiction: new CohortsView({
        toCohort: (value) => ({ first: (value as number[])[0] ?? 0, counts: value as number[] }),
        formatTitle: (at, parameters) => `${at + 1}+ ${parameters.get('addiction_unit') ?? 'hour'}s`,
      }),
      people: new PeopleView(loadPage),
    };
  }

  set status(message: string) {
    getById('status').textContent = message;
  }

  set isBusy(busy: boolean) {
    getById('result').setAttribute('aria-busy', String(busy));
    getById<HTMLButtonElement>('cancel').disabled = !busy;
  }

  /** Shows an error that belongs to no field. An empty message removes it. */
  set failure(message: string) {
    getById('failure').textContent = message;
  }

  /** Shows what the query names and no record has. */
  set warnings(messages: readonly string[]) {
    const items = messages.map((message) => createElement('li', { class: 'warning' }, escapeUnprintable(message)));
    const list = items.length === 0 ? [] : [createElement('ul', { class: 'diagnostics' }, ...items)];
    getById('warnings').replaceChildren(...list);
  }

  /** Whether the query has changed since the result was loaded. */
  set isStale(stale: boolean) {
    getById('stale').hidden = !stale;
  }

  show({ path, view }: PageQuery, { result, annotations, warnings }: QueryAnswer, parameters: RequestParameters): void {
    this.warnings = warnings;
    const shown = this.views[view];
    // Charts measure their size when they are drawn, so the view is attached first.
    const parent = getById('result');
    parent.replaceChildren(shown.root);
    shown.show(result, new Map(parameters), annotations);
    parent.append(createDownloads(shown.root, path, result, parameters));
  }

  /** Removes the result. */
  clear(): void {
    this.warnings = [];
    getById('result').replaceChildren(this.home);
  }
}
