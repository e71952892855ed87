import type { SavedFilterListing } from '../../../src/service/saved-filters/saved-filter-registry.ts';
import type { SavedFiltersService } from '../../../src/service/server/routes/add-saved-filter-routes.ts';

/** Saved filters in memory that match nothing. */
export class FakeSavedFilters implements SavedFiltersService {
  readonly webhooksWaiting = 0;
  private readonly stored = new Map<string, SavedFilterListing>();

  async list(): Promise<SavedFilterListing[]> {
    return [...this.stored.values()];
  }

  async put(_: unknown, name: string, where: string, event?: string): Promise<SavedFilterListing> {
    const time = '2026-01-01T00:00:00.000Z';
    const rest = { created_at: time, events: 0, since: time, last_import: null };
    const filter = { name, event: event ?? null, where, ...rest };
    this.stored.set(name, filter);
    return filter;
  }

  async remove(_: unknown, name: string): Promise<void> {
    this.stored.delete(name);
  }

  async match(): Promise<undefined> {}

  async close(): Promise<void> {}
}
