import { type Access, assertPermission, createFullAccess } from '../../../src/queries/access.ts';
import { ServiceError } from '../../../src/queries/service-error.ts';
import type { DatasetFilter } from '../../../src/queries/services.ts';
import type { Project } from '../../../src/service/datasets/catalog/project.ts';
import type { Signers } from '../../../src/service/datasets/datasets.ts';
import { type DatasetListing, UNSET, type Version } from '../../../src/service/datasets/versions/version.ts';
import type { DatasetsService } from '../../../src/service/server/routes/add-dataset-routes.ts';
import type { RecordKind } from '../../../src/service/store/store.ts';
import type { SnapshotOptions, StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';

/** The secret and token of the project. */
export const SECRET = 'ssh-nobody-may-see-this';
export const TOKEN = 'tok-nobody-may-see-this';

/** The secret of the dataset. */
export const DATASET_SECRET = 'dss-nobody-may-see-this';

/** The secret of a key with a filter. */
export const FILTERED_SECRET = 'key-nobody-may-see-this';

/** The secret of another project with the same data. */
export const OTHER_SECRET = 'ssh-of-another-project';

const PROJECT: Project = { id: 7, name: 'demo', token: TOKEN, secret: SECRET, timeZone: 'UTC' };

const CREATED_AT = '2024-05-06T07:08:09.123456Z';

/** A project with the dataset `shop`, in memory. It keeps imports unparsed. Data of `bad`, `full` or `broken` fails. */
export class FakeDatasets implements DatasetsService {
  readonly damagedVersions = 0;
  readonly flushLag = 1_500;
  /** The number of versions that have a size. */
  sized = 0;
  readonly tellDamage = () => undefined;
  readonly stored = new Map<string, Version>();
  readonly imported: { readonly kind: RecordKind; readonly data: string }[] = [];
  /** Imports wait for this promise. */
  gate: Promise<void> = Promise.resolve();
  closed = false;
  /** The state of the data. A cached response is valid for one state. */
  state = 'first';
  readonly reads: { readonly narrowing: DatasetFilter; readonly signal?: AbortSignal }[] = [];

  async measureVersions() {
    return Array.from({ length: this.sized }, (_, index) => {
      return { project: 'demo', dataset: 'shop', version: `v${index}`, bytes: this.sized - index };
    });
  }

  async accessOf(secret: string): Promise<Access | undefined> {
    if (secret === DATASET_SECRET)
      return { project: PROJECT, key: 'd1e2f3a4', permissions: ['import', 'datasets'], datasetId: 'shop' };
    if (secret === FILTERED_SECRET) return { ...createFullAccess(PROJECT, 'filtered'), where: 'true' };
    if (secret === OTHER_SECRET) return createFullAccess({ ...PROJECT, id: 8, name: 'other' }, 'b2c3d4e5');
    return secret === SECRET ? createFullAccess(PROJECT, 'a1b2c3d4') : undefined;
  }

  async signersOf(token: string): Promise<Signers | undefined> {
    return token === TOKEN ? { project: PROJECT, secrets: [SECRET] } : undefined;
  }

  /** Runs `work` with an empty snapshot, because the fake queries do not read it. */
  async read<Result>(
    access: Access,
    narrowing: DatasetFilter,
    work: (snapshot: StoreSnapshot) => Promise<Result>,
    options?: SnapshotOptions,
  ): Promise<Result> {
    await this.stateOf(access, narrowing);
    this.reads.push({ narrowing, ...(options?.signal && { signal: options.signal }) });
    return work({} as StoreSnapshot);
  }

  async stateOf(access: Access, { datasetId, versionId }: DatasetFilter): Promise<string> {
    assertPermission(access, 'query');
    if (datasetId !== undefined && datasetId !== 'shop')
      throw new ServiceError(404, 'There is no such dataset.', { missing: 'dataset' });
    if (versionId !== undefined && versionId !== 'v1')
      throw new ServiceError(404, 'There is no such version.', { missing: 'version' });
    return this.state;
  }

  async versionsOf(access: Access, narrowing: DatasetFilter): Promise<string> {
    await this.stateOf(access, narrowing);
    return '';
  }

  async list(access: Access): Promise<DatasetListing[]> {
    await this.stateOf(access, {});
    return [{ datasetId: 'shop', versions: [...this.stored.values()] }];
  }

  async versions(_access: Access, token: string, datasetId: string): Promise<Version[]> {
    this.assertDataset(token, datasetId);
    return [...this.stored.values()];
  }

  async createVersion(_access: Access, token: string, datasetId: string): Promise<Version> {
    this.assertDataset(token, datasetId);
    const state = { ready: false, ready_at: UNSET, readable: false, readable_at: UNSET, writable: true };
    const version = { version_id: `v${this.stored.size + 1}`, created_at: CREATED_AT, is_live: false, state };
    this.stored.set(version.version_id, version);
    return version;
  }

  async version(_access: Access, token: string, datasetId: string, versionId: string): Promise<Version> {
    this.assertDataset(token, datasetId);
    const version = this.stored.get(versionId);
    if (version === undefined) throw new ServiceError(404, `There is no version ${versionId}`);
    return version;
  }

  async setState(
    access: Access,
    token: string,
    datasetId: string,
    versionId: string,
    state: { readonly readable: boolean; readonly writable: boolean },
  ): Promise<void> {
    const version = await this.version(access, token, datasetId, versionId);
    this.stored.set(versionId, { ...version, state: { ...version.state, ...state } });
  }

  async deleteVersion(access: Access, token: string, datasetId: string, versionId: string): Promise<void> {
    await this.version(access, token, datasetId, versionId);
    this.stored.delete(versionId);
  }

  async importRecords(
    access: Access,
    kind: RecordKind,
    { datasetId, versionId, data }: { readonly datasetId: string; readonly versionId: string; readonly data: string },
  ): Promise<readonly string[]> {
    await this.version(access, TOKEN, datasetId, versionId);
    await this.gate;
    if (data === 'bad') throw new ServiceError(400, 'The data is not base64');
    if (data === 'full') throw new ServiceError(507, 'No room', { cause: new Error('ENOSPC on a path') });
    if (data === 'broken') throw new TypeError('something inside that nobody should see');
    this.imported.push({ kind, data });
    return [data];
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  private assertDataset(token: string, datasetId: string): void {
    if (token !== TOKEN) throw new ServiceError(403, 'The token is not that of the project');
    if (datasetId !== 'shop') throw new ServiceError(404, 'There is no such dataset.');
  }
}
