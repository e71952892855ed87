import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { check } from '../../../api/expressions.ts';
import { isJsonObject } from '../../../base/json.ts';
import { ExpressionCheckError } from '../../../lang/errors.ts';
import { ServiceError } from '../../../queries/service-error.ts';
import { makeFolder, replaceFile, syncFolder } from '../../storage/files.ts';
import { reportFullDisk } from '../../storage/report-full-disk.ts';
import type { TellDamage } from '../files/errors.ts';
import { listJsonFiles, paths } from '../files/paths.ts';
import { readJson, readSound } from '../files/read-json.ts';

/** A named filter of events. */
export interface SavedFilter {
  readonly name: string;
  /** The name of the events; all events if undefined. */
  readonly event?: string;
  readonly where: string;
  /** When it was created or last replaced, in ISO 8601. */
  readonly createdAt: string;
}

/** Names are also file names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** In characters. Longer filters would make each import wait for them. */
const MAX_WHERE = 4_096;

/** Stores the saved filters of projects, one file each. Only one process may change them. */
export class SavedFilters {
  /** Passes each file that cannot be read to `tell`. */
  constructor(
    private readonly dataFolder: string,
    private readonly tell: TellDamage,
  ) {}

  /** Returns the saved filters of a project, ordered by name. */
  async list(project: string): Promise<SavedFilter[]> {
    const names = await listJsonFiles(paths.savedFilters(this.dataFolder, project));
    const files = names.map(async (name) => {
      const content = await readJson(this.pathOf(project, name), isContent);
      return content && { ...content, name };
    });
    return readSound(files, this.tell);
  }

  /** Writes a saved filter and replaces the one with its name. */
  async put(project: string, { name, ...content }: SavedFilter): Promise<void> {
    const path = this.pathOf(project, name);
    await reportFullDisk(
      makeFolder(dirname(path)).then(() => replaceFile(path, `${JSON.stringify(content, null, 2)}\n`)),
    );
  }

  async remove(project: string, name: string): Promise<void> {
    const path = this.pathOf(project, name);
    await rm(path, { force: true });
    await syncFolder(dirname(path));
  }

  private pathOf(project: string, name: string): string {
    return join(paths.savedFilters(this.dataFolder, project), `${name}.json`);
  }
}

/** @throws {ServiceError} 400 for an invalid name or filter */
export function assertSavedFilter(name: string, where: string): void {
  if (!NAME.test(name)) {
    const rule = 'It is 1 to 64 letters, digits, `-` and `_`, the first of them a letter or digit.';
    throw new ServiceError(400, `Invalid parameter: name. ${rule}`);
  }
  const problem = findFilterProblem(where);
  if (problem !== undefined) throw new ServiceError(400, `Invalid parameter: where. ${problem}`);
}

/** Describes why a filter cannot be saved; undefined if it can. */
function findFilterProblem(where: string): string | undefined {
  if (where.length > MAX_WHERE) return `It has ${where.length} characters: a saved filter has at most ${MAX_WHERE}.`;
  const { diagnostics, properties } = check(where, { use: 'where' });
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined)
    return [new ExpressionCheckError(where, diagnostics).message, error.help].filter(Boolean).join(' ');
  if (properties.some(({ scope }) => scope === 'user'))
    return 'It reads `user[...]`. A saved filter is matched with the events of each import, which carry no properties of users.';
  return undefined;
}

function isContent(json: unknown): json is Omit<SavedFilter, 'name'> {
  if (!isJsonObject(json) || typeof json.where !== 'string' || typeof json.createdAt !== 'string') return false;
  if (json.event !== undefined && typeof json.event !== 'string') return false;
  return findFilterProblem(json.where) === undefined;
}
