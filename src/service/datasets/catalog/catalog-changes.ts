import { rm } from 'node:fs/promises';
import { replaceFile, syncFolder } from '../../storage/files.ts';
import { FolderLock } from '../../storage/folder-lock.ts';
import { assertServerIsHere } from '../../storage/lock-folder.ts';
import { CatalogError } from '../files/errors.ts';
import { paths } from '../files/paths.ts';
import type { Catalog } from './catalog.ts';
import { toCredential } from './key.ts';
import { hashKeptSecret, type KeptSecret, keepSecret, makeSecret, replaceSecret } from './secrets.ts';

/** The owner of a secret: a key, a dataset, or the project if neither is given. */
export interface SecretOwner {
  readonly key?: string;
  readonly datasetId?: string;
}

export interface Rotation {
  /** How long the old secret stays valid, in milliseconds. */
  readonly graceMs: number;
  /** Whether requests may be signed with the project's secret. Unchanged if undefined. */
  readonly signatures?: boolean;
}

/**
 * Changes a project. A server that has the folder open applies the changes at its next request.
 *
 * All methods throw {@link CatalogError} if the target does not exist, and {@link FolderInUseError} while another
 * command changes the project, or if a server on another machine has the folder.
 */
export class CatalogChanges {
  constructor(
    private readonly catalog: Catalog,
    private readonly folder: string,
    private readonly project: string,
  ) {}

  /** Replaces a secret and returns the new one. */
  async rotate(owner: SecretOwner, { graceMs, signatures }: Rotation): Promise<string> {
    const isProject = owner.key === undefined && owner.datasetId === undefined;
    if (!isProject && signatures !== undefined)
      throw new CatalogError('only the secret of a project has to do with signatures');
    const secret = makeSecret();
    await this.change(owner, (kept) => {
      const isSigning = isProject && (signatures ?? kept.secret !== undefined);
      const changed = replaceSecret(kept, keepSecret(toCredential(kept, secret), isSigning), graceMs);
      return signatures === false ? hashKeptSecret(changed) : changed;
    });
    return secret;
  }

  /** Removes a key, or the secret of the project or dataset, which then has none until the next rotation. */
  async revoke(owner: SecretOwner): Promise<void> {
    if (owner.key === undefined) return this.change(owner, () => ({}));
    await this.catalog.key(this.project, owner.key);
    await this.withLock(async () => {
      await rm(paths.keyFile(this.folder, this.project, owner.key as string), { force: true });
      await syncFolder(paths.keys(this.folder, this.project));
    });
  }

  /** Refuses signed requests from now on and keeps only the hash of the project's secret. */
  endSignatures(): Promise<void> {
    return this.change({}, hashKeptSecret);
  }

  /** Marks the project as deleted. The process that has the folder open removes its files. */
  async deleteProject(): Promise<void> {
    await this.catalog.project(this.project);
    await this.withLock(async () => {
      const project = await this.catalog.project(this.project);
      await write(paths.projectFile(this.folder, this.project), { ...project, deleted: true });
    });
  }

  /** Marks a dataset as deleted. The process that has the folder open removes its files. */
  async deleteDataset(datasetId: string): Promise<void> {
    await this.catalog.dataset(this.project, datasetId);
    await this.withLock(async () => {
      const dataset = await this.catalog.dataset(this.project, datasetId);
      await write(paths.datasetFile(this.folder, this.project, datasetId), { ...dataset, deleted: true });
    });
  }

  private async change(owner: SecretOwner, step: (kept: KeptSecret) => KeptSecret): Promise<void> {
    await this.catalog.project(this.project);
    await this.withLock(async () => {
      const [path, content] = await this.readOwner(owner);
      const { secret, secretHash, previous, ...rest } = content;
      await write(path, { ...rest, ...step(content) });
    });
  }

  private async readOwner({ key, datasetId }: SecretOwner): Promise<[path: string, content: KeptSecret]> {
    const { catalog, folder, project } = this;
    if (key !== undefined) return [paths.keyFile(folder, project, key), await catalog.key(project, key)];
    if (datasetId === undefined) return [paths.projectFile(folder, project), await catalog.project(project)];
    return [paths.datasetFile(folder, project, datasetId), await catalog.dataset(project, datasetId)];
  }

  private async withLock(work: () => Promise<void>): Promise<void> {
    await assertServerIsHere(this.folder);
    const lock = await FolderLock.take(paths.project(this.folder, this.project));
    try {
      await work();
    } finally {
      await lock.release();
    }
  }
}

function write(path: string, content: object): Promise<void> {
  return replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
}
