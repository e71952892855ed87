import { escapeUnprintable, formatInteger } from '../../../base/strings.ts';
import { createElement } from '../../../editor/dom.ts';
import { ApiError, type KnownSavedFilter } from '../../shared/query-api.ts';
import { createScrollRegion, createTable } from '../../shared/table.ts';

/** Returns the saved filters as they are now. */
export type SavedFilterLoader = () => Promise<readonly KnownSavedFilter[]>;

const COLUMNS = [
  { title: 'Saved filter', kind: 'text' },
  { title: 'Event', kind: 'text' },
  { title: 'Filter', kind: 'text' },
  { title: 'Last import (UTC)', kind: 'text' },
  { title: 'Its events', kind: 'number' },
  { title: 'Its people', kind: 'number' },
  { title: 'All events', kind: 'number' },
  { title: 'Since (UTC)', kind: 'text' },
] as const;

/** How often the saved filters are read, in milliseconds. */
const PERIOD_MS = 5_000;

/** Lists the saved filters of a server, and reads them again while they are visible. */
export class SavedFiltersView {
  readonly root = createElement('div', { class: 'saved-filters' });
  /** The loader whose saved filters are shown. */
  private load: SavedFilterLoader | undefined;

  /** Shows what a loader returns from now on; nothing without a loader. */
  follow(load: SavedFilterLoader | undefined): void {
    this.load = load;
    this.root.replaceChildren();
    if (load !== undefined) void this.repeat(load);
  }

  private async repeat(load: SavedFilterLoader): Promise<void> {
    while (this.load === load) {
      if (this.root.checkVisibility() && !(await this.refresh(load))) return;
      await new Promise((resolve) => setTimeout(resolve, PERIOD_MS));
    }
  }

  /** Returns whether it makes sense to load again. */
  private async refresh(load: SavedFilterLoader): Promise<boolean> {
    try {
      const filters = await load();
      if (this.load === load) this.root.replaceChildren(...createTables(filters));
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A secret for a part of the project sees no saved filters.
      if (error.status === 401) return false;
      if (this.load === load)
        this.root.replaceChildren(createElement('p', {}, `The saved filters are not known now. ${error.message}`));
      return true;
    }
  }
}

function createTables(filters: readonly KnownSavedFilter[]): HTMLElement[] {
  if (filters.length === 0) return [];
  const rows = filters.map(({ name, event, where, events, since, last_import: last }) => {
    const number = (value: number | undefined) =>
      createElement('td', { class: 'number' }, value === undefined ? '' : formatInteger(value));
    return createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, name),
      createElement('td', {}, createElement('bdi', {}, event === null ? 'all' : escapeUnprintable(event))),
      createElement('td', {}, createElement('code', {}, escapeUnprintable(where))),
      createElement('td', {}, last === null ? 'none yet' : formatTime(last.time)),
      number(last?.events),
      number(last?.people),
      number(events),
      createElement('td', {}, formatTime(since)),
    );
  });
  return [createScrollRegion('Saved filters', createTable('Saved filters', COLUMNS, rows))];
}

function formatTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}
