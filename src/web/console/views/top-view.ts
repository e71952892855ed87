import { escapeUnprintable, formatInteger } from '../../../lang/util/strings.ts';
import { createElement } from '../../shared/dom.ts';
import { createScrollRegion, createTable, shareCells } from '../../shared/table.ts';
import type { AnswerView } from './answer-view.ts';

interface Answer {
  readonly events: readonly { readonly event: string; readonly amount: number; readonly percent_change: number }[];
}

const CHANGE = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** Shows the events of today that were done most. */
export class TopView implements AnswerView {
  readonly root = createElement('div');

  show(answer: unknown): void {
    const { events } = answer as Answer;
    const amounts = events.map(({ amount }) => amount);
    const whole = amounts.reduce((total, amount) => total + amount, 0);
    const rows = events.map(({ event, amount, percent_change }) => {
      return createElement(
        'tr',
        {},
        createElement('th', { scope: 'row' }, createElement('bdi', {}, escapeUnprintable(event))),
        createElement('td', { class: 'number' }, formatInteger(amount)),
        createElement('td', { class: 'number' }, CHANGE.format(percent_change)),
        ...shareCells(amount, whole, Math.max(...amounts)),
      );
    });
    const columns = [
      { title: 'Event', kind: 'text' },
      { title: 'Today', kind: 'number' },
      { title: 'Against yesterday', kind: 'number' },
      { title: 'Share of these', kind: 'share' },
    ] as const;
    const nothing = createElement('p', { class: 'nothing' }, 'There are no events of today.');
    this.root.replaceChildren(
      rows.length === 0 ? nothing : createScrollRegion('Top events', createTable('Top events', columns, rows)),
    );
  }
}
