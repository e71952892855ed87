/** A file of a log to which nothing is written any more: whole batches of lines, each closed by a line that vouches for it. */
export interface LogSegment {
  readonly path: string;
  /** Its name within the log: names grow. */
  readonly name: string;
  /** How many records it holds. */
  readonly records: number;
}
