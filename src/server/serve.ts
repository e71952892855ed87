import { isIPv6 } from 'node:net';
import { pino } from 'pino';
import type { DatasetsOptions } from '../datasets/datasets.ts';
import type { DatasetsService } from './add-dataset-routes.ts';
import { buildServer } from './build-server.ts';
import { ownCertificate, readCertificate } from './certificate.ts';
import { ConfigurationError } from './read-configuration.ts';
import type { Configuration } from './settings.ts';

/** A service that takes requests. */
export interface Service {
  /** Where it is. */
  readonly url: string;
  /** Finishes what is under way, and keeps what it has acknowledged. */
  stop(): Promise<void>;
}

/**
 * Runs the service. Its log goes to standard error, a line of JSON for each request.
 *
 * @throws {ConfigurationError} where the address cannot be used.
 * @throws {CertificateError} where the certificate cannot be used.
 */
export async function serve(
  configuration: Configuration,
  open: (options: DatasetsOptions) => Promise<DatasetsService>,
): Promise<Service> {
  const { data, host, port, tlsCert, tlsKey, behindProxy, allowHttp } = configuration;
  const { store, clickhouseUrl, clickhouseCluster, memoryLimit } = configuration;
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
  const certificate =
    tlsCert !== undefined && tlsKey !== undefined
      ? await readCertificate(tlsCert, tlsKey)
      : await ownCertificate(data, host);
  const datasets = await open({
    folder: data,
    store,
    ...(clickhouseUrl !== undefined && { clickhouseUrl }),
    ...(clickhouseCluster !== undefined && { clickhouseCluster }),
    ...(memoryLimit !== undefined && { memoryLimit }),
    report: (problem) => log.warn(problem),
  });
  const server = await buildServer(datasets, { certificate, behindProxy, allowHttp, log });
  try {
    const { port: found } = await server.listen(port, host);
    const scheme = behindProxy || allowHttp ? 'http' : 'https';
    return { url: `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${found}/`, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw addressError(error as NodeJS.ErrnoException, host, port);
  }
}

function addressError({ code, message }: NodeJS.ErrnoException, host: string, port: number): Error {
  if (code === 'EADDRINUSE')
    return new ConfigurationError(`port ${port} of ${host} is in use: choose another with --port`);
  return new ConfigurationError(`port ${port} of ${host} cannot be used: ${message}`);
}
