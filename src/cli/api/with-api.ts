import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PropertyRead } from '../../lang/check/check.ts';
import type { ReadingOptions } from '../commands/import.ts';
import { readVariable } from '../environment.ts';
import { UsageError } from '../exit.ts';
import { explainSystemError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { FileApi } from './file-api.ts';
import { ProjectApi } from './project-api.ts';
import { RemoteApi } from './remote-api.ts';
import { NAME_A_PLACE, type ServiceApi } from './service-api.ts';

/** The server, data folder or files to query. Options override environment variables. */
export interface ApiOptions extends Readonly<Record<string, unknown>>, ReadingOptions {
  /** The URL of a server. */
  readonly server?: string;
  readonly secret?: string;
  /** A file with a certificate. */
  readonly ca?: string;
  /** A project of a data folder, instead of a server. */
  readonly project?: string;
  /** The time zone of the days of files. */
  readonly timeZone?: string;
}

/** The properties of files that the queries read, and whether they read whole events. */
export interface FileReads {
  readonly reads: readonly PropertyRead[];
  readonly keepsWhole?: boolean | undefined;
}

/**
 * Runs `work` on files, on a project of a data folder or a server or, if none is named, on standard input.
 *
 * @throws {UsageError} if the options name more than one of them, or none and standard input is a terminal.
 */
export async function withApi<Result>(
  io: Io,
  files: readonly string[],
  options: ApiOptions & FileReads,
  work: (api: ServiceApi) => Promise<Result>,
): Promise<Result> {
  ensureOnePlace(files, options);
  const isProject = namesProject(options) || (files.length === 0 && readVariable(io, 'server') !== undefined);
  if (isProject) return withProject(io, options, (api) => work(new ProjectApi(io, api)));
  if (files.length === 0 && io.in.isTTY) throw new UsageError(NAME_A_PLACE);
  const inputs = files.length === 0 ? ['-'] : files;
  return FileApi.with(io, inputs, options, work);
}

/**
 * Runs `work` on a project of a data folder or, without one, of a server.
 *
 * @throws {UsageError} if the options name neither, or have a time zone.
 */
export async function withProject<Result>(
  io: Io,
  options: ApiOptions,
  work: (api: ServiceApi) => Promise<Result>,
): Promise<Result> {
  if (options.timeZone !== undefined)
    throw new UsageError('--time-zone is for files. A project has its own time zone, set when it is created');
  const {
    server = readVariable(io, 'server'),
    secret = readVariable(io, 'secret'),
    ca = readVariable(io, 'ca'),
    project,
    ...flags
  } = options;
  if (project !== undefined) {
    const { LocalApi } = await import('./local-api.ts');
    return LocalApi.with(io, await loadConfiguration(io, flags), project, work);
  }
  if (flags.data !== undefined) throw new UsageError('Name a project of the data folder with --project');
  if (server === undefined) throw new UsageError(NAME_A_PLACE);
  if (secret === undefined) throw new UsageError('Set the secret of the project in ONWHERE_SECRET or with --secret');
  return work(new RemoteApi(server, { secret, ca: ca === undefined ? undefined : await readCertificate(ca) }));
}

/** Returns whether options name a server or a data folder. */
function namesProject({ server, project, data }: ApiOptions): boolean {
  return [server, project, data].some((place) => place !== undefined);
}

/** @throws {UsageError} if more than one of files, a server and a data folder are named. */
export function ensureOnePlace(files: readonly string[], { server, project, data }: ApiOptions): void {
  const given = [
    ...(files.length === 0 ? [] : ['files']),
    ...(server === undefined ? [] : ['--server']),
    ...(project === undefined && data === undefined ? [] : ['--project and --data']),
  ];
  if (given.length > 1) throw new UsageError(`Query one of these, not several: ${given.join(', ')}`);
}

async function readCertificate(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw explainSystemError(error, file);
  }
  try {
    new X509Certificate(text);
  } catch {
    throw new UsageError(`${file} is not a PEM certificate`);
  }
  return text;
}
