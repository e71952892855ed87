import type { DatasetVersion } from './dataset-version.ts';
import { compareByAge } from './version-record.ts';

let opened = 0;

/** How many versions of a dataset are kept. */
const KEPT_VERSIONS = 5;

/** A dataset and the versions that it has. */
export class OpenDataset {
  private readonly byId = new Map<string, DatasetVersion>();
  /** The revisions of versions that are gone. */
  private past = 0;

  /** Tells it from one of the same name that was deleted before. */
  readonly serial = ++opened;

  constructor(readonly datasetId: string) {}

  /** Oldest first. */
  get versions(): DatasetVersion[] {
    return [...this.byId.values()].sort((left, right) => compareByAge(left.record, right.record));
  }

  /** The version that questions are about, which is the newest live one; nothing where none is live. */
  get live(): DatasetVersion | undefined {
    return this.versions.findLast(({ record }) => record.live && !record.deleted);
  }

  /** The versions beyond the newest five, the one that questions are about always being one of the five. */
  get surplus(): DatasetVersion[] {
    const { live } = this;
    const others = this.versions.filter((version) => version !== live);
    return others.slice(0, live === undefined ? -KEPT_VERSIONS : 1 - KEPT_VERSIONS);
  }

  /** A number that grows with each change of what there is to read, so that it never comes again. */
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
