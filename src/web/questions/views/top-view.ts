import { escapeUnprintable, formatInteger } from '../../../base/strings.ts';
import { createElement } from '../../../editor/dom.ts';
import { createScrollRegion, createShareCells, createTable } from '../../shared/table.ts';
import type { ResultView } from './result-view.ts';

interface Result {
  readonly events: readonly { readonly event: string; readonly amount: number; readonly percent_change: number }[];
}

const CHANGE = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** Shows the top events of today. */
export class TopView implements ResultView {
  readonly root = createElement('div');

  show(result: unknown): void {
    const { events } = result as Result;
    const amounts = events.map(({ amount }) => amount);
    const whole = amounts.reduce((total, amount) => total + amount, 0);
    const rows = events.map(({ event, amount, percent_change }) => {
      return createElement(
        'tr',
        {},
        createElement('th', { scope: 'row' }, createElement('bdi', {}, escapeUnprintable(event))),
        createElement('td', { class: 'number' }, formatInteger(amount)),
        createElement('td', { class: 'number' }, CHANGE.format(percent_change)),
        ...createShareCells(amount, whole, Math.max(...amounts)),
      );
    });
    const columns = [
      { title: 'Event', kind: 'text' },
      { title: 'Today', kind: 'number' },
      { title: 'vs. yesterday', kind: 'number' },
      { title: 'Share', kind: 'share' },
    ] as const;
    const nothing = createElement('p', { class: 'nothing' }, 'No events today.');
    this.root.replaceChildren(
      rows.length === 0 ? nothing : createScrollRegion('Top events', createTable('Top events', columns, rows)),
    );
  }
}
