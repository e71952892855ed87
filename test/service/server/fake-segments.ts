import type { SegmentListing } from '../../../src/service/segments/segment-registry.ts';
import type { SegmentsService } from '../../../src/service/server/routes/add-saved-filter-routes.ts';

/** Segments in memory that match nothing. */
export class FakeSegments implements SegmentsService {
  readonly webhooksWaiting = 0;
  private readonly stored = new Map<string, SegmentListing>();

  async list(): Promise<SegmentListing[]> {
    return [...this.stored.values()];
  }

  async put(_: unknown, name: string, where: string, event?: string): Promise<SegmentListing> {
    const time = '2026-01-01T00:00:00.000Z';
    const rest = { created_at: time, events: 0, since: time, last_import: null };
    const segment = { name, event: event ?? null, where, ...rest };
    this.stored.set(name, segment);
    return segment;
  }

  async remove(_: unknown, name: string): Promise<void> {
    this.stored.delete(name);
  }

  async match(): Promise<undefined> {}

  async close(): Promise<void> {}
}
