import { createHmac, randomBytes } from 'node:crypto';
import { type Access, createFullAccess } from '../../../queries/access.ts';
import type { Key } from '../catalog/key.ts';
import type { Dataset, Project } from '../catalog/project.ts';
import { type KeptSecret, listSecretHashes } from '../catalog/secrets.ts';
import type { OpenDataset } from './open-dataset.ts';

/** Random for each process, so that the time of a lookup reveals nothing about the secrets. */
const INDEX_KEY = randomBytes(32);

/** The number of hash digits that name a secret in the log. */
const SHOWN_DIGITS = 8;

/** The access that a secret gives until it expires, and the file that grants it. */
interface Grant {
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly access: Access;
  readonly file: string;
}

/** An open project: its datasets and the access that its secrets give. */
export class OpenProject {
  readonly datasets = new Map<string, OpenDataset>();
  /** Keyed by the index of each secret's hash. */
  private readonly grants = new Map<string, Grant>();
  private served: Project | undefined;

  /** The names of files that cannot be read, by dataset ID. Queries of these datasets are refused. */
  damagedDatasets: ReadonlyMap<string, string> = new Map();

  /** Undefined while its file cannot be read. Then its secrets give no access. */
  get project(): Project | undefined {
    return this.served;
  }

  /** Replaces the project's record and clears all secrets. */
  serve(project: Project | undefined, file: string): void {
    this.served = project;
    this.grants.clear();
    if (project !== undefined) this.grant(project, file, (key) => createFullAccess(project, key));
  }

  /** Grants access with the secret of a dataset. */
  addDataset(dataset: Dataset, file: string): void {
    const { served: project } = this;
    if (project === undefined) return;
    const { datasetId } = dataset;
    this.grant(dataset, file, (key) => ({ project, key, permissions: ['import', 'datasets'], datasetId }));
  }

  /** Grants access with a key. */
  addKey(key: Key, file: string): void {
    const { served: project } = this;
    if (project === undefined) return;
    const { name, scopes, datasetId, where, expiresAt } = key;
    const access = {
      project,
      key: name,
      permissions: scopes,
      ...(datasetId !== undefined && { datasetId }),
      ...(where !== undefined && { where }),
    };
    this.grant(key, file, () => access, expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt));
  }

  /**
   * Returns the access for the hash of a secret and the file that grants it.
   *
   * The time it takes reveals nothing about other secrets and does not grow with their number.
   */
  find(hash: string): { readonly access: Access; readonly file: string } | undefined {
    const found = this.grants.get(getIndex(hash));
    return found !== undefined && Date.now() < found.until ? found : undefined;
  }

  private grant(
    kept: KeptSecret,
    file: string,
    createAccess: (key: string) => Access,
    expiresAt = Number.POSITIVE_INFINITY,
  ): void {
    for (const { hash, until } of listSecretHashes(kept))
      this.grants.set(getIndex(hash), {
        until: Math.min(until, expiresAt),
        access: createAccess(hash.slice(0, SHOWN_DIGITS)),
        file,
      });
  }
}

/** Returns the lookup key of a hash. */
function getIndex(hash: string): string {
  return createHmac('sha256', INDEX_KEY).update(hash).digest('base64');
}
