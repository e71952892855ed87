import { UNSET, type Version } from '../../src/service/datasets/versions/version.ts';
import { Ledger } from './ledger.ts';
import type { Tally } from './tally.ts';

/** A version whose creation was acknowledged. */
export interface ExpectedVersion {
  readonly id: string;
  readonly ledger: Ledger;
  /** Whether the server acknowledged that it is readable. */
  isReadable: boolean;
  /** A requested deletion may have happened; the list of the next server tells. */
  deletion: 'none' | 'requested' | 'acknowledged';
}

/** The versions that a dataset must have, from what the server acknowledged to its clients. */
export class ExpectedVersions {
  private readonly versions = new Map<string, ExpectedVersion>();

  add(id: string): ExpectedVersion {
    const version: ExpectedVersion = { id, ledger: new Ledger(), isReadable: false, deletion: 'none' };
    this.versions.set(id, version);
    return version;
  }

  get(id: string): ExpectedVersion | undefined {
    return this.versions.get(id);
  }

  /** The number of acknowledged batches, including those of deleted versions. */
  get acknowledgedBatches(): number {
    return [...this.versions.values()].reduce((sum, { ledger }) => sum + ledger.acknowledged.size, 0);
  }

  /** The versions that must exist. */
  get present(): ExpectedVersion[] {
    return [...this.versions.values()].filter(({ deletion }) => deletion === 'none');
  }

  /** The versions that must not exist. */
  get deleted(): ExpectedVersion[] {
    return [...this.versions.values()].filter(({ deletion }) => deletion === 'acknowledged');
  }

  /** Checks the list of a server that started after all recorded requests. */
  checkList(listed: readonly Version[], tally: Tally): void {
    const found = new Map(listed.map((version) => [version.version_id, version]));
    for (const version of this.versions.values()) {
      const { id, isReadable, deletion } = version;
      const now = found.get(id);
      if (deletion === 'acknowledged') tally.expect(now === undefined, `version ${id} is back after its deletion`);
      if (deletion === 'none') this.checkPresent(version, now, tally);
      if (deletion === 'requested') version.deletion = now === undefined ? 'acknowledged' : 'none';
      if (isReadable && now !== undefined) tally.expect(now.state.readable, `version ${id} is no longer readable`);
    }
    for (const { version_id: id, is_live, state } of listed) {
      const isLegal = !is_live || (state.readable && state.ready_at !== UNSET && state.readable_at !== UNSET);
      tally.expect(isLegal, `version ${id} is live without being readable and ready`);
    }
  }

  private checkPresent({ id, ledger }: ExpectedVersion, now: Version | undefined, tally: Tally): void {
    tally.expect(now !== undefined, `version ${id} is gone`);
    if (now === undefined) tally.lost += ledger.acknowledgedRecords;
  }
}
