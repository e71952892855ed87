import type { SegmentFilter, SegmentMatches } from './count-matches.ts';
import type { NoticeSource } from './write-notices.ts';

/** A request to the thread: to match the events of an import with the segments of a project. */
export interface MatchRequest {
  readonly projectId: number;
  /** The time zone of the project, an IANA name. */
  readonly timeZone: string;
  /** The segments, if they have changed since the last request for the project. */
  readonly segments: readonly SegmentFilter[] | undefined;
  /** The events, as lines of the log. */
  readonly lines: readonly string[];
  /** The import, if notices of it are wanted. */
  readonly source: NoticeSource | undefined;
}

/** The number of events and people that a segment matches. */
export type SegmentCounts = Omit<SegmentMatches, 'people'> & { readonly people: number };

/** The reply of the thread. It is undefined if matching takes too many steps. */
export interface MatchResult {
  readonly counts: readonly SegmentCounts[];
  /** The JSON of each notice. */
  readonly notices: readonly string[];
}
