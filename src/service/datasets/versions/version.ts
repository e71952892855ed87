/** A version of a dataset as the Datasets API returns it. Times are ISO 8601 in UTC; `UNSET` if it has not happened. */
export interface Version {
  readonly version_id: string;
  readonly created_at: string;
  /** Whether queries read it by default. */
  readonly is_live: boolean;
  readonly state: {
    /** Whether all imported data can be queried. */
    readonly ready: boolean;
    readonly ready_at: string;
    readonly readable: boolean;
    readonly readable_at: string;
    readonly writable: boolean;
  };
  /** Why it cannot be read, if it is damaged. Queries that would read it are refused. */
  readonly damage?: string;
}

/** A dataset with its versions, newest first. */
export interface DatasetListing {
  readonly datasetId: string;
  readonly versions: readonly Version[];
}

/** The time of an event that has not happened. */
export const UNSET = '0001-01-01T00:00:00Z';
