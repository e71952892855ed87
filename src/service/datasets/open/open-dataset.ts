import type { DatasetVersion } from '../versions/dataset-version.ts';
import { compareByAge } from '../versions/version-record.ts';

let opened = 0;

/** The number of versions that a dataset keeps. */
const KEPT_VERSIONS = 5;

/** A dataset and its versions. */
export class OpenDataset {
  private readonly byId = new Map<string, DatasetVersion>();
  /** The sum of the revisions of removed versions. */
  private past = 0;

  /** Distinguishes it from a deleted dataset of the same name. */
  readonly serial = ++opened;

  constructor(readonly datasetId: string) {}

  /** The versions, oldest first. */
  get versions(): DatasetVersion[] {
    return [...this.byId.values()].sort((left, right) => compareByAge(left.record, right.record));
  }

  /** The newest live version, which queries read by default; undefined if none is live. */
  get live(): DatasetVersion | undefined {
    return this.versions.findLast(({ record }) => record.live && !record.deleted);
  }

  /** The versions to remove: all but the live version and the newest others, five in total. */
  get surplus(): DatasetVersion[] {
    const { live } = this;
    const others = this.versions.filter((version) => version !== live);
    return others.slice(0, live === undefined ? -KEPT_VERSIONS : 1 - KEPT_VERSIONS);
  }

  /** Grows with each change of the readable data and never repeats. */
  get revision(): number {
    return this.versions.reduce((sum, { revision }) => sum + revision + 1, this.past);
  }

  find(versionId: string): DatasetVersion | undefined {
    return this.byId.get(versionId);
  }

  add(version: DatasetVersion): void {
    this.byId.set(version.record.versionId, version);
  }

  remove(version: DatasetVersion): void {
    if (this.byId.delete(version.record.versionId)) this.past += version.revision + 1;
  }
}
