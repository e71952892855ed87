import { escapeUnprintable, formatInteger, pluralize } from '../../../base/strings.ts';
import { createButton, createElement } from '../../../editor/dom.ts';
import { createSparkline } from '../../shared/sparkline.ts';
import { createScrollRegion, createShareCells, createTable } from '../../shared/table.ts';
import type { DataOverview, KnownDataset } from '../known-names.ts';
import { type SavedFilterLoader, SavedFiltersView } from './saved-filters-view.ts';

const COLUMNS = [
  { title: 'Event', kind: 'text' },
  { title: 'Over time', kind: 'text' },
  { title: 'Total', kind: 'number' },
  { title: 'Share', kind: 'share' },
] as const;

const DATASET_COLUMNS = [
  { title: 'Dataset', kind: 'text' },
  { title: 'Version', kind: 'text' },
  { title: 'Created (UTC)', kind: 'text' },
  { title: 'Read by queries', kind: 'text' },
] as const;

/** Shows the events of the data with counts over time. A click on one counts it. */
export class HomeView {
  readonly root = createElement('div', { class: 'home' });

  private readonly filters = new SavedFiltersView();

  constructor(private readonly choose: (event: string) => void) {}

  /** Forgets the data. */
  clear(): void {
    this.filters.follow(undefined);
    this.root.replaceChildren();
  }

  /** Shows saved filters below the data, as they are from now on. */
  followSavedFilters(load: SavedFilterLoader | undefined): void {
    this.filters.follow(load);
  }

  /** @param emptyHint Shown if there are no events. */
  show(overview: DataOverview, datasets: readonly KnownDataset[], emptyHint: string): void {
    const events = this.createEvents(overview);
    this.root.replaceChildren(
      ...(events.length > 0 ? events : [createElement('p', { class: 'nothing' }, emptyHint)]),
      ...(datasets.length > 0 ? [createDatasets(datasets)] : []),
      this.filters.root,
    );
  }

  private createEvents({ from_date, to_date, unit, events }: DataOverview): HTMLElement[] {
    if (from_date === null || to_date === null) return [];
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
    return [
      createElement('p', {}, `${pluralize(whole, 'event')}, ${dates}, by ${unit}. Choose one to count it.`),
      createScrollRegion('Events of the data', createTable('Events of the data', COLUMNS, rows)),
    ];
  }
}

/** Lists the versions of datasets, and which of them queries read. */
function createDatasets(datasets: readonly KnownDataset[]): HTMLElement {
  const rows = datasets.flatMap(({ dataset_id: dataset, versions }) => {
    // Queries read the newest live version.
    const read = versions.find(({ is_live }) => is_live);
    return (versions.length > 0 ? versions : [undefined]).map((version) => {
      return createElement(
        'tr',
        {},
        createElement('th', { scope: 'row' }, createElement('bdi', {}, escapeUnprintable(dataset))),
        createElement('td', {}, version?.version_id ?? 'no version yet'),
        createElement('td', {}, version?.created_at.slice(0, 19).replace('T', ' ') ?? ''),
        createElement('td', {}, version !== undefined && version === read ? 'yes' : ''),
      );
    });
  });
  const table = createScrollRegion('Datasets', createTable('Datasets', DATASET_COLUMNS, rows));
  return createElement('div', { class: 'datasets' }, table);
}
