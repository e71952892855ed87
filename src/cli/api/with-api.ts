import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PropertyRead } from '../../lang/check/check.ts';
import type { ReadingOptions } from '../commands/import.ts';
import { UsageError } from '../exit.ts';
import { explainSystemError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { FileApi } from './file-api.ts';
import { RemoteApi } from './remote-api.ts';
import type { ExportApi, ServiceApi } from './service-api.ts';

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

/**
 * Runs `work` on files, on a project of a data folder or, without either, on a server.
 *
 * @param reads the properties that the queries read
 * @throws {UsageError} if the options name more than one of them.
 */
export async function withApi<Result>(
  io: Io,
  files: readonly string[],
  { reads, ...options }: ApiOptions & { readonly reads: readonly PropertyRead[] },
  work: (api: ServiceApi) => Promise<Result>,
): Promise<Result> {
  if (files.length === 0) return withExportApi(io, options, work);
  const given = [
    'files',
    ...(options.server === undefined ? [] : ['--server']),
    ...(options.project === undefined && options.data === undefined ? [] : ['--project and --data']),
  ];
  if (given.length > 1) throw new UsageError(`Query one of these, not several: ${given.join(', ')}`);
  return FileApi.with(io, files, { ...options, reads }, work);
}

/**
 * Runs `work` on a project of a data folder or, without one, on a server.
 *
 * @throws {UsageError} if the options name both.
 */
export async function withExportApi<Result>(
  io: Io,
  options: ApiOptions,
  work: (api: ExportApi) => Promise<Result>,
): Promise<Result> {
  if (options.server !== undefined && options.project !== undefined)
    throw new UsageError('Query one of these, not several: --server, --project and --data');
  if (options.timeZone !== undefined)
    throw new UsageError('--time-zone is for files. A project has its own time zone, set when it is created');
  const { ONWHERE_SERVER, ONWHERE_SECRET, ONWHERE_CA } = io.env;
  const { server = ONWHERE_SERVER, secret = ONWHERE_SECRET, ca = ONWHERE_CA, project, ...flags } = options;
  if (project !== undefined) {
    const { LocalApi } = await import('./local-api.ts');
    return LocalApi.with(io, await loadConfiguration(io, flags), project, work);
  }
  if (server === undefined)
    throw new UsageError(
      'Name event files, or pass --server and --secret to query a server, or --project and --data to query a data folder',
    );
  if (secret === undefined) throw new UsageError('Set the secret of the project in ONWHERE_SECRET or with --secret');
  return work(new RemoteApi(server, { secret, ca: ca === undefined ? undefined : await readCertificate(ca) }));
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
