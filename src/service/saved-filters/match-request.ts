import type { ImportMatches, NamedFilter } from './count-matches.ts';
import type { NoticeSource } from './write-notices.ts';

/** A request to the thread: to match the events of an import with the saved filters of a project. */
export interface MatchRequest {
  readonly projectId: number;
  /** The time zone of the project, an IANA name. */
  readonly timeZone: string;
  /** The saved filters, if they have changed since the last request for the project. */
  readonly filters: readonly NamedFilter[] | undefined;
  /** The events, as lines of the log. */
  readonly lines: readonly string[];
  /** The import, if notices of it are wanted. */
  readonly source: NoticeSource | undefined;
}

/** The number of events and people that a saved filter matches. */
export type ImportMatchCounts = Omit<ImportMatches, 'people'> & { readonly people: number };

/** The reply of the thread. It is undefined if matching takes too many steps. */
export interface MatchResult {
  readonly counts: readonly ImportMatchCounts[];
  /** The JSON of each notice. */
  readonly notices: readonly string[];
}
