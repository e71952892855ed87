import { createButton, createElement } from '../../../editor/dom.ts';
import { escapeUnprintable, formatInteger, pluralize } from '../../../lang/util/strings.ts';
import { createSparkline } from '../../shared/sparkline.ts';
import { createScrollRegion, createShareCells, createTable } from '../../shared/table.ts';
import type { DataOverview } from '../known-names.ts';

const COLUMNS = [
  { title: 'Event', kind: 'text' },
  { title: 'Over time', kind: 'text' },
  { title: 'Total', kind: 'number' },
  { title: 'Share', kind: 'share' },
] as const;

/** Shows the events of the data with counts over time. A click on one counts it. */
export class HomeView {
  readonly root = createElement('div', { class: 'home' });

  constructor(private readonly choose: (event: string) => void) {}

  /** Forgets the data. */
  clear(): void {
    this.root.replaceChildren();
  }

  /** @param emptyHint Shown if there are no events. */
  show({ from_date, to_date, unit, events }: DataOverview, emptyHint: string): void {
    if (from_date === null || to_date === null) {
      this.root.replaceChildren(createElement('p', { class: 'nothing' }, emptyHint));
      return;
    }
    const counts = events.map(({ count }) => count);
    const whole = counts.reduce((total, count) => total + count, 0);
    const rows = events.map(({ event, count, values }) => {
      const name = createButton({ class: 'link' }, escapeUnprintable(event), () => this.choose(event));
      return createElement(
        'tr',
        {},
        createElement('th', { scope: 'row' }, createElement('bdi', {}, name)),
        createElement('td', {}, createSparkline(values)),
        createElement('td', { class: 'number' }, formatInteger(count)),
        ...createShareCells(count, whole, Math.max(...counts)),
      );
    });
    const dates = from_date === to_date ? from_date : `${from_date} to ${to_date}`;
    this.root.replaceChildren(
      createElement('p', {}, `${pluralize(whole, 'event')}, ${dates}, by ${unit}. Choose one to count it.`),
      createScrollRegion('Events of the data', createTable('Events of the data', COLUMNS, rows)),
    );
  }
}
