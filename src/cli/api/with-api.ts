import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { UsageError } from '../exit.ts';
import { explainSystemError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { LocalApi } from './local-api.ts';
import { RemoteApi } from './remote-api.ts';
import type { ServiceApi } from './service-api.ts';

/** The server or data folder to query. Options override environment variables. */
export interface ApiOptions extends Readonly<Record<string, unknown>> {
  /** The URL of a server. */
  readonly server?: string;
  readonly secret?: string;
  /** A file with a certificate. */
  readonly ca?: string;
  /** A project of a data folder, instead of a server. */
  readonly project?: string;
}

/** Runs `work` on a project of a data folder or, without one, on a server. */
export async function withApi<Result>(
  io: Io,
  options: ApiOptions,
  work: (api: ServiceApi) => Promise<Result>,
): Promise<Result> {
  const { ONWHERE_SERVER, ONWHERE_SECRET, ONWHERE_CA } = io.env;
  const { server = ONWHERE_SERVER, secret = ONWHERE_SECRET, ca = ONWHERE_CA, project, ...flags } = options;
  if (project !== undefined) return LocalApi.with(io, await loadConfiguration(io, flags), project, work);
  if (server === undefined)
    throw new UsageError(
      'Pass --server and --secret to query a server, or --project and --data to query a data folder',
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
