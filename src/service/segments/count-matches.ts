import type { FilterSet } from '../../api/filter-set.ts';
import type { EventLine } from '../store/log-line.ts';

/** What a segment is matched by. */
export interface SegmentFilter {
  readonly name: string;
  /** The name of the events; all events if undefined. */
  readonly event?: string;
  readonly where: string;
}

/** The events of an import that a segment matches. */
export interface SegmentMatches {
  readonly name: string;
  /** The number of events. */
  readonly events: number;
  /** The `distinct_id` of each person with a matching event, in the order of the events. */
  readonly people: readonly string[];
  /** The number of events on which the filter raised a type error, so that no one knows whether they match. */
  readonly failures: number;
}

interface Counts {
  readonly event: string | undefined;
  events: number;
  readonly people: Set<string>;
  failures: number;
}

/**
 * Matches the events of an import with segments.
 *
 * @param set The filters of the segments, by name.
 * @param lines Lines of the event log.
 */
export function countMatches(
  set: FilterSet,
  segments: readonly SegmentFilter[],
  lines: readonly string[],
): SegmentMatches[] {
  const found = new Map<string, Counts>(
    segments.map(({ name, event }) => [name, { event, events: 0, people: new Set(), failures: 0 }]),
  );
  for (const line of lines) {
    const { event, properties, distinct_id: person } = JSON.parse(line) as EventLine;
    const isOf = (counts: Counts) => counts.event === undefined || counts.event === event;
    const { ids, failures } = set.match(properties);
    for (const id of ids) {
      const counts = found.get(id) as Counts;
      if (!isOf(counts)) continue;
      counts.events++;
      counts.people.add(person);
    }
    for (const { id } of failures) {
      const counts = found.get(id) as Counts;
      if (isOf(counts)) counts.failures++;
    }
  }
  return [...found].map(([name, { events, people, failures }]) => ({ name, events, people: [...people], failures }));
}
