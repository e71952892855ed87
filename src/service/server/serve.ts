import { isIPv6 } from 'node:net';
import type { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { Datasets } from '../datasets/datasets.ts';
import type { ReportEvent, ServiceEvent } from '../datasets/service-event.ts';
import { checkFolderMode } from '../storage/files.ts';
import { openStoreApart } from '../store/open-store.ts';
import { buildServer } from './build-server.ts';
import { certificateRenewal, loadOwnCertificate, readCertificate } from './certificate.ts';
import { createServices } from './create-services.ts';
import { LogStream } from './log-stream.ts';
import { openSegments } from './open-segments.ts';
import { readPage } from './page-files.ts';
import { isLoopback } from './plain-http.ts';
import { ConfigurationError } from './read-configuration.ts';
import type { Configuration } from './settings.ts';

/** A running service. */
export interface Service {
  readonly url: string;
  /** Finishes active requests and closes the data folder. Acknowledged imports are on disk. */
  stop(): Promise<void>;
}

/** Kinds of background events that the server itself counts. */
const DROPPED = 'log line dropped';
const NOT_RENEWED = 'certificate not renewed';

/** Interval at which the files of `tls-cert` and `tls-key` are read again. */
const RENEWAL_MS = 60_000;

/**
 * Starts the service.
 *
 * @param output Receives the log, one line of JSON per request. The server never waits for its reader.
 * @throws {ConfigurationError} if the address cannot be used
 * @throws {CertificateError} if the certificate cannot be used
 */
export async function startService(configuration: Configuration, output: Writable): Promise<Service> {
  const { data, host, port, tlsCert, tlsKey, behindProxy, allowHttp } = configuration;
  const counts = new Map<string, number>();
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const lines = new LogStream(output, () => count(DROPPED));
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, lines);
  const warning = await checkFolderMode(data);
  if (warning !== undefined) log.warn(warning);
  if (behindProxy && !isLoopback(host))
    log.warn(
      `--behind-proxy trusts X-Forwarded-Proto and X-Forwarded-For of every client: let only the proxy reach ${host}`,
    );
  const certificate =
    tlsCert !== undefined && tlsKey !== undefined
      ? await readCertificate(tlsCert, tlsKey)
      : await loadOwnCertificate(data, host);
  const report: ReportEvent = (event) => {
    count(event.kind);
    logEvent(log, event);
  };
  const datasets = await Datasets.open(
    data,
    (temporaryFolder) =>
      openStoreApart(configuration, data, temporaryFolder, (exit) => report({ kind: 'database process ended', exit })),
    report,
  );
  const segments = await openSegments(configuration, datasets, report);
  const server = await buildServer(await createServices(datasets, configuration), {
    segments,
    certificate,
    behindProxy,
    allowHttp,
    log,
    events: counts,
    page: await readPage({ 'onwhere-source': 'server' }),
  });
  try {
    const { port: actualPort } = await server.listen(port, host);
    const scheme = behindProxy || allowHttp ? 'http' : 'https';
    let renewals: NodeJS.Timeout | undefined;
    if (tlsCert !== undefined && tlsKey !== undefined) {
      const renew = certificateRenewal(tlsCert, tlsKey, certificate, (renewed) => {
        server.renew(renewed);
        log.info('certificate renewed');
      });
      renewals = setInterval(() => {
        renew().catch(({ message }: Error) => {
          count(NOT_RENEWED);
          log.error({ error: message }, NOT_RENEWED);
        });
      }, RENEWAL_MS);
    }
    return {
      url: `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${actualPort}/`,
      async stop() {
        clearInterval(renewals);
        await server.stop();
        await lines.flush();
      },
    };
  } catch (error) {
    await server.stop();
    throw createAddressError(error as NodeJS.ErrnoException, host, port);
  }
}

/**
 * Logs a background event, as an error if operators have to act. The type of events keeps secrets and data out of the
 * log.
 */
function logEvent(log: Logger, { kind, ...event }: ServiceEvent): void {
  if ('error' in event) log.error({ ...event, error: event.error.message }, kind);
  else if ('damage' in event || 'exit' in event) log.error(event, kind);
  else log.info(event, kind);
}

function createAddressError({ code, message }: NodeJS.ErrnoException, host: string, port: number): Error {
  if (code === 'EADDRINUSE')
    return new ConfigurationError(`port ${port} on ${host} is in use: choose another with --port`);
  return new ConfigurationError(`port ${port} on ${host} cannot be used: ${message}`);
}
