import { formatInteger } from '../../util/counted.ts';
import { escapeUnprintable } from '../../util/printable.ts';
import { element } from '../../web/dom.ts';
import { scrolling, shareCells, table } from '../../web/table.ts';
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
  readonly root = element('div');

  show(answer: unknown): void {
    const { events } = answer as Answer;
    const amounts = events.map(({ amount }) => amount);
    const whole = amounts.reduce((total, amount) => total + amount, 0);
    const rows = events.map(({ event, amount, percent_change }) => {
      return element(
        'tr',
        {},
        element('th', { scope: 'row' }, element('bdi', {}, escapeUnprintable(event))),
        element('td', { class: 'number' }, formatInteger(amount)),
        element('td', { class: 'number' }, CHANGE.format(percent_change)),
        ...shareCells(amount, whole, Math.max(...amounts)),
      );
    });
    const columns = [
      { title: 'Event', kind: 'text' },
      { title: 'Today', kind: 'number' },
      { title: 'Against yesterday', kind: 'number' },
      { title: 'Share of these', kind: 'share' },
    ] as const;
    const nothing = element('p', { class: 'nothing' }, 'There are no events of today.');
    this.root.replaceChildren(
      rows.length === 0 ? nothing : scrolling('Top events', table('Top events', columns, rows)),
    );
  }
}
