/**
 * A version of a dataset as the Datasets interface shows it. Times are ISO 8601 in UTC, `UNSET` where they have not
 * been.
 */
export interface Version {
  readonly version_id: string;
  readonly created_at: string;
  /** Whether queries read it. */
  readonly is_live: boolean;
  readonly state: {
    /** Whether all that was imported can be queried. */
    readonly ready: boolean;
    readonly ready_at: string;
    readonly readable: boolean;
    readonly readable_at: string;
    readonly writable: boolean;
  };
  /** Why it cannot be read, where it is damaged: queries that would read it are refused. */
  readonly damage?: string;
}

/** A time that has not been. */
export const UNSET = '0001-01-01T00:00:00Z';
