import { byId } from '../web/dom.ts';
import type { Parameters } from './api.ts';
import type { Query } from './queries.ts';
import type { AnswerView } from './views/answer-view.ts';
import { type Cohort, CohortsView } from './views/cohorts-view.ts';
import { FunnelView } from './views/funnel-view.ts';
import { byTotal, LinesView } from './views/lines-view.ts';
import { PeopleView } from './views/people-view.ts';
import { TopView } from './views/top-view.ts';

/** Shows answers, each in the view of its query, and how the asking goes. */
export class AnswerPanel {
  private readonly views: Readonly<Record<Query['view'], AnswerView>>;

  /** `turn` asks the same again with the parameters of another page. */
  constructor(turn: (parameters: Parameters) => void) {
    this.views = {
      lines: new LinesView(byTotal),
      ranges: new LinesView((lines) => lines),
      top: new TopView(),
      funnel: new FunnelView(),
      retention: new CohortsView({
        cohort: (answered) => answered as Cohort,
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
    byId('status').textContent = text;
  }

  set isBusy(busy: boolean) {
    byId('answer').setAttribute('aria-busy', String(busy));
    byId<HTMLButtonElement>('cancel').disabled = !busy;
  }

  /** Says what went wrong, where that is about no field; nothing with an empty message. */
  set failure(message: string) {
    byId('failure').textContent = message;
  }

  /** Says whether the question has changed since it was answered. */
  set isStale(stale: boolean) {
    byId('stale').hidden = !stale;
  }

  show({ view }: Query, answer: unknown, asked: Parameters): void {
    const shown = this.views[view];
    // What is drawn has to be seen to be measured.
    byId('answer').replaceChildren(shown.root);
    shown.show(answer, new Map(asked));
  }

  clear(): void {
    byId('answer').replaceChildren();
  }
}
