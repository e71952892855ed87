import { type Flushed, RECORD_KINDS, type RecordKind, type StoredVersion } from '../store.ts';
import type { DuckDbConnection } from './database.ts';
import { Promotion } from './promotion.ts';

/** Tables with fewer records are read from JSON about as fast. */
const MIN_RECORDS = 5_000;

/** How many times the records must have grown since properties were last chosen, so that all choices take little time. */
const GROWTH = 4;

/** Runs a part of the work on a version in a transaction. Returns undefined if it has no file. */
export type ChangePart = <Result>(
  version: StoredVersion,
  work: (connection: DuckDbConnection, schema: string) => Promise<Result>,
) => Promise<Result | undefined>;

/** Decides when promoted properties are chosen again, and does one part of one promotion at a time. */
export class Promotions {
  /** The number of records when properties were last chosen, by version ID. */
  private readonly chosenAt = new Map<string, Readonly<Record<RecordKind, number>>>();
  /** By version ID. */
  private readonly underway = new Map<string, Promotion>();

  constructor(private readonly change: ChangePart) {}

  /** Does the next part of the work on a version. Returns whether there was one, so that there may be more. */
  async promote(version: StoredVersion, flushed: Flushed): Promise<boolean> {
    const { id } = version;
    const promotion = this.underway.get(id);
    if (promotion !== undefined) {
      // A part that fails ends its promotion: the next one begins again.
      this.underway.delete(id);
      const isDone = await this.change(version, (connection, schema) => promotion.fillNext(connection, schema));
      if (isDone === false) this.underway.set(id, promotion);
      return isDone !== undefined;
    }
    for (const kind of RECORD_KINDS) {
      const chosenAt = this.chosenAt.get(id) ?? { events: 0, people: 0 };
      if (flushed[kind].records < Math.max(MIN_RECORDS, GROWTH * chosenAt[kind])) continue;
      this.chosenAt.set(id, { ...chosenAt, [kind]: flushed[kind].records });
      const begun = await this.change(version, (connection, schema) => Promotion.begin(connection, schema, kind));
      if (begun === undefined) continue;
      this.underway.set(id, begun);
      return true;
    }
    return false;
  }

  /** Forgets a version that was dropped. */
  drop(versionId: string): void {
    this.chosenAt.delete(versionId);
    this.underway.delete(versionId);
  }
}
