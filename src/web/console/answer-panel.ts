import { getById } from '../shared/dom.ts';
import type { RequestParameters } from './api.ts';
import type { ConsoleQuery } from './queries.ts';
import type { AnswerView } from './views/answer-view.ts';
import { CohortsView, type ShownCohort } from './views/cohorts-view.ts';
import { FunnelView } from './views/funnel-view.ts';
import { LinesView, sortByTotal } from './views/lines-view.ts';
import { PeopleView } from './views/people-view.ts';
import { TopView } from './views/top-view.ts';

/** Shows answers, each in the view of its query, and how the asking goes. */
export class AnswerPanel {
  private readonly views: Readonly<Record<ConsoleQuery['view'], AnswerView>>;

  /** `turn` asks the same again with the parameters of another page. */
  constructor(turn: (parameters: RequestParameters) => void) {
    this.views = {
      lines: new LinesView(sortByTotal),
      ranges: new LinesView((lines) => lines),
      top: new TopView(),
      funnel: new FunnelView(),
      retention: new CohortsView({
        cohort: (answered) => answered as ShownCohort,
        title: (at, asked) => {
          const days = asked.get('interval');
          return days === undefined ? `${asked.get('unit') ?? 'day'} ${at}` : `day ${at * Number(days)}`;
        },
      }),
      addiction: new CohortsView({
        cohort: (answered) => ({ first: (answered as number[])[0] ?? 0, counts: answered as number[] }),
        title: (at, asked) => `${at + 1}+ ${asked.get('addiction_unit') ?? 'hour'}s`,
      }),
      people: new PeopleView(turn),
    };
  }

  /** Says how the asking goes. */
  set status(text: string) {
    getById('status').textContent = text;
  }

  set isBusy(busy: boolean) {
    getById('answer').setAttribute('aria-busy', String(busy));
    getById<HTMLButtonElement>('cancel').disabled = !busy;
  }

  /** Says what went wrong, where that is about no field; nothing with an empty message. */
  set failure(message: string) {
    getById('failure').textContent = message;
  }

  /** Says whether the question has changed since it was answered. */
  set isStale(stale: boolean) {
    getById('stale').hidden = !stale;
  }

  show({ view }: ConsoleQuery, answer: unknown, asked: RequestParameters): void {
    const shown = this.views[view];
    // What is drawn has to be seen to be measured.
    getById('answer').replaceChildren(shown.root);
    shown.show(answer, new Map(asked));
  }

  clear(): void {
    getById('answer').replaceChildren();
  }
}
