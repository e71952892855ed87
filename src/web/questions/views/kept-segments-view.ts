import { escapeUnprintable, formatInteger } from '../../../base/strings.ts';
import { createElement } from '../../../editor/dom.ts';
import { ApiError, type KnownSegment } from '../../shared/query-api.ts';
import { createScrollRegion, createTable } from '../../shared/table.ts';

/** Returns the segments as they are now. */
export type SegmentLoader = () => Promise<readonly KnownSegment[]>;

const COLUMNS = [
  { title: 'Segment', kind: 'text' },
  { title: 'Event', kind: 'text' },
  { title: 'Filter', kind: 'text' },
  { title: 'Last import (UTC)', kind: 'text' },
  { title: 'Its events', kind: 'number' },
  { title: 'Its people', kind: 'number' },
  { title: 'All events', kind: 'number' },
  { title: 'Since (UTC)', kind: 'text' },
] as const;

/** How often the segments are read, in milliseconds. */
const PERIOD_MS = 5_000;

/** Lists the segments of a server, and reads them again while they are visible. */
export class KeptSegmentsView {
  readonly root = createElement('div', { class: 'segments' });
  /** The loader whose segments are shown. */
  private load: SegmentLoader | undefined;

  /** Shows what a loader returns from now on; nothing without a loader. */
  follow(load: SegmentLoader | undefined): void {
    this.load = load;
    this.root.replaceChildren();
    if (load !== undefined) void this.repeat(load);
  }

  private async repeat(load: SegmentLoader): Promise<void> {
    while (this.load === load) {
      if (this.root.checkVisibility() && !(await this.refresh(load))) return;
      await new Promise((resolve) => setTimeout(resolve, PERIOD_MS));
    }
  }

  /** Returns whether it makes sense to load again. */
  private async refresh(load: SegmentLoader): Promise<boolean> {
    try {
      const segments = await load();
      if (this.load === load) this.root.replaceChildren(...createSegments(segments));
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A secret for a part of the project sees no segments.
      if (error.status === 401) return false;
      if (this.load === load)
        this.root.replaceChildren(createElement('p', {}, `The segments are not known now. ${error.message}`));
      return true;
    }
  }
}

function createSegments(segments: readonly KnownSegment[]): HTMLElement[] {
  if (segments.length === 0) return [];
  const rows = segments.map(({ name, event, where, events, since, last_import: last }) => {
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
  return [createScrollRegion('Segments', createTable('Segments', COLUMNS, rows))];
}

function formatTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}
