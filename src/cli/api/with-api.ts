import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { UsageError } from '../exit.ts';
import { explainSystemError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { LocalApi } from './local-api.ts';
import { RemoteApi } from './remote-api.ts';
import type { ServiceApi } from './service-api.ts';

/** The server or data folder to query. Options override the environment variables for server, secret and certificate. */
export interface ApiOptions extends Readonly<Record<string, unknown>> {
  /** The address of a server. */
  readonly server?: string;
  readonly secret?: string;
  /** A file with a certificate. */
  readonly ca?: string;
  /** A project of a data folder, instead of a server. */
  readonly project?: string;
}

/** Does some work with a project of a data folder, or else with a server. */
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
      'Say who to ask: a server with --server and --secret, or a data folder with --project and --data',
    );
  if (secret === undefined)
    throw new UsageError('A server wants the secret of a project, in ONWHERE_SECRET or as --secret');
  return work(new RemoteApi(server, { secret, ca: ca === undefined ? undefined : await certificateIn(ca) }));
}

async function certificateIn(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw explainSystemError(error, file);
  }
  try {
    new X509Certificate(text);
  } catch {
    throw new UsageError(`${file} holds no certificate in PEM`);
  }
  return text;
}
