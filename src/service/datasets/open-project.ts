import { createHmac, randomBytes } from 'node:crypto';
import { type Access, createFullAccess } from './access.ts';
import type { Key } from './key.ts';
import type { OpenDataset } from './open-dataset.ts';
import type { Dataset, Project } from './project.ts';
import { type KeptSecret, listSecretHashes } from './secrets.ts';

/** Made anew by each process and told to nobody, so that how long a search takes tells nothing of the secrets. */
const INDEX_KEY = randomBytes(32);

/** How many digits of a hash name a secret. */
const SHOWN_DIGITS = 8;

/** The access that a secret gives, until it expires, and the file that grants it. */
interface Grant {
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly access: Access;
  readonly file: string;
}

/** A project as it is served: its datasets, and what its secrets open. */
export class OpenProject {
  readonly datasets = new Map<string, OpenDataset>();
  /** By the indexes of the hashes of their secrets. */
  private readonly grants = new Map<string, Grant>();
  private served: Project | undefined;

  /**
   * The files that cannot be read, by the ids of their datasets. Queries that would read such a dataset are refused.
   */
  damagedDatasets: ReadonlyMap<string, string> = new Map();

  /** Undefined while its file cannot be read: then no secret opens it. */
  get project(): Project | undefined {
    return this.served;
  }

  /** Takes over what its file says, and forgets all secrets. */
  serve(project: Project | undefined, file: string): void {
    this.served = project;
    this.grants.clear();
    if (project !== undefined) this.grant(project, file, (key) => createFullAccess(project, key));
  }

  /** Lets in with the secret of a dataset. */
  addDataset(dataset: Dataset, file: string): void {
    const { served: project } = this;
    if (project === undefined) return;
    const { datasetId } = dataset;
    this.grant(dataset, file, (key) => ({ project, key, scopes: ['import', 'datasets'], datasetId }));
  }

  /** Lets in with a key. */
  addKey(key: Key, file: string): void {
    const { served: project } = this;
    if (project === undefined) return;
    const { name, scopes, datasetId, where, expiresAt } = key;
    const access = {
      project,
      key: name,
      scopes,
      ...(datasetId !== undefined && { datasetId }),
      ...(where !== undefined && { where }),
    };
    this.grant(key, file, () => access, expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt));
  }

  /**
   * Returns the access of the secret with this hash and the file that grants it. How long that takes
   * tells nothing of other secrets, and does not grow with their number.
   */
  find(hash: string): { readonly access: Access; readonly file: string } | undefined {
    const found = this.grants.get(indexOf(hash));
    return found !== undefined && Date.now() < found.until ? found : undefined;
  }

  private grant(
    kept: KeptSecret,
    file: string,
    accessAs: (key: string) => Access,
    most = Number.POSITIVE_INFINITY,
  ): void {
    for (const { hash, until } of listSecretHashes(kept))
      this.grants.set(indexOf(hash), {
        until: Math.min(until, most),
        access: accessAs(hash.slice(0, SHOWN_DIGITS)),
        file,
      });
  }
}

/** What a hash is looked up by. */
function indexOf(hash: string): string {
  return createHmac('sha256', INDEX_KEY).update(hash).digest('base64');
}
