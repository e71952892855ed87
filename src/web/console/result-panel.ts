import { getById } from '../shared/dom.ts';
import type { RequestParameters } from './api.ts';
import type { ConsoleQuery } from './queries.ts';
import { CohortsView, type ShownCohort } from './views/cohorts-view.ts';
import { FunnelView } from './views/funnel-view.ts';
import { LinesView, sortByTotal } from './views/lines-view.ts';
import { PeopleView } from './views/people-view.ts';
import type { ResultView } from './views/result-view.ts';
import { TopView } from './views/top-view.ts';

/** Shows results, each in the view of its query, and the state of the running query. */
export class ResultPanel {
  private readonly views: Readonly<Record<ConsoleQuery['view'], ResultView>>;

  /** @param runAgain Runs the last query with additional parameters, for another page. */
  constructor(runAgain: (parameters: RequestParameters) => void) {
    this.views = {
      lines: new LinesView(sortByTotal),
      ranges: new LinesView((lines) => lines),
      top: new TopView(),
      funnel: new FunnelView(),
      retention: new CohortsView({
        readCohort: (json) => json as ShownCohort,
        formatTitle: (at, parameters) => {
          const days = parameters.get('interval');
          return days === undefined ? `${parameters.get('unit') ?? 'day'} ${at}` : `day ${at * Number(days)}`;
        },
      }),
      addiction: new CohortsView({
        readCohort: (json) => ({ first: (json as number[])[0] ?? 0, counts: json as number[] }),
        formatTitle: (at, parameters) => `${at + 1}+ ${parameters.get('addiction_unit') ?? 'hour'}s`,
      }),
      people: new PeopleView(runAgain),
    };
  }

  /** Sets the status line, such as "Running…". */
  set status(status: string) {
    getById('status').textContent = status;
  }

  set isBusy(busy: boolean) {
    getById('result').setAttribute('aria-busy', String(busy));
    getById<HTMLButtonElement>('cancel').disabled = !busy;
  }

  /** Shows an error that is about no field; an empty message hides it. */
  set error(message: string) {
    getById('failure').textContent = message;
  }

  /** Shows whether the query has changed since this result. */
  set isStale(stale: boolean) {
    getById('stale').hidden = !stale;
  }

  show({ view: name }: ConsoleQuery, result: unknown, parameters: RequestParameters): void {
    const view = this.views[name];
    // A chart can be measured only once it is on the page.
    getById('result').replaceChildren(view.root);
    view.show(result, new Map(parameters));
  }

  clear(): void {
    getById('result').replaceChildren();
  }
}
