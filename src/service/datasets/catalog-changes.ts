import { rm } from 'node:fs/promises';
import { replaceFile, syncFolder } from '../storage/files.ts';
import { FolderLock } from '../storage/folder-lock.ts';
import type { Catalog } from './catalog.ts';
import { CatalogError } from './errors.ts';
import { paths } from './paths.ts';
import { hashKeptSecret, type KeptSecret, keepSecret, makeSecret, replaceSecret } from './secrets.ts';

/** Whose secret it is: that of a key or a dataset, otherwise that of the project. */
export interface SecretOwner {
  readonly key?: string;
  readonly datasetId?: string;
}

export interface Rotation {
  /** How long the old secret holds. */
  readonly graceMs: number;
  /** Whether requests may be signed with the secret of the project; without it, as before. */
  readonly signatures?: boolean;
}

/**
 * Changes to a project, one command at a time. A server that has the folder open sees them at its next request. All methods throw
 * {@link CatalogError} for what does not exist, and {@link FolderInUseError} while another command changes the project.
 */
export class CatalogChanges {
  constructor(
    private readonly catalog: Catalog,
    private readonly folder: string,
    private readonly project: string,
  ) {}

  /** Replaces a secret by a new one, which it returns. */
  async rotate(owner: SecretOwner, { graceMs, signatures }: Rotation): Promise<string> {
    const isProject = owner.key === undefined && owner.datasetId === undefined;
    if (!isProject && signatures !== undefined)
      throw new CatalogError('only the secret of a project has to do with signatures');
    const secret = makeSecret();
    await this.change(owner, (kept) => {
      const isSigning = isProject && (signatures ?? kept.secret !== undefined);
      const changed = replaceSecret(kept, keepSecret(secret, isSigning), graceMs);
      return signatures === false ? hashKeptSecret(changed) : changed;
    });
    return secret;
  }

  /** Removes a key, or the secret of the project or a dataset, which then has none until it is rotated. */
  async revoke(owner: SecretOwner): Promise<void> {
    if (owner.key === undefined) return this.change(owner, () => ({}));
    await this.catalog.key(this.project, owner.key);
    await this.alone(async () => {
      await rm(paths.keyFile(this.folder, this.project, owner.key as string), { force: true });
      await syncFolder(paths.keys(this.folder, this.project));
    });
  }

  /** Refuses signed requests from now on, and keeps the secret of the project only as a hash. */
  endSignatures(): Promise<void> {
    return this.change({}, hashKeptSecret);
  }

  /** Marks the project as deleted. Whoever has the folder open removes what is left of it. */
  async deleteProject(): Promise<void> {
    await this.catalog.project(this.project);
    await this.alone(async () => {
      const project = await this.catalog.project(this.project);
      await write(paths.projectFile(this.folder, this.project), { ...project, deleted: true });
    });
  }

  /** Marks a dataset as deleted. As {@link deleteProject}. */
  async deleteDataset(datasetId: string): Promise<void> {
    await this.catalog.dataset(this.project, datasetId);
    await this.alone(async () => {
      const dataset = await this.catalog.dataset(this.project, datasetId);
      await write(paths.datasetFile(this.folder, this.project, datasetId), { ...dataset, deleted: true });
    });
  }

  private async change(owner: SecretOwner, step: (kept: KeptSecret) => KeptSecret): Promise<void> {
    await this.catalog.project(this.project);
    await this.alone(async () => {
      const [path, content] = await this.fileOf(owner);
      const { secret, secretHash, previous, ...rest } = content;
      await write(path, { ...rest, ...step(content) });
    });
  }

  private async fileOf({ key, datasetId }: SecretOwner): Promise<[path: string, content: KeptSecret]> {
    const { catalog, folder, project } = this;
    if (key !== undefined) return [paths.keyFile(folder, project, key), await catalog.key(project, key)];
    if (datasetId === undefined) return [paths.projectFile(folder, project), await catalog.project(project)];
    return [paths.datasetFile(folder, project, datasetId), await catalog.dataset(project, datasetId)];
  }

  private async alone(work: () => Promise<void>): Promise<void> {
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
