import { isIPv6 } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { Datasets } from '../datasets/datasets.ts';
import type { ReportEvent, ServiceEvent } from '../datasets/service-event.ts';
import { checkFolderMode, makeFolder } from '../storage/files.ts';
import { FolderLease, LEASE_TIMES, type LeaseTimes } from '../storage/folder-lease.ts';
import { LeaseFiles } from '../storage/lease-files.ts';
import { openStoreApart } from '../store/open-store.ts';
import { buildServer } from './build-server.ts';
import {
  type Certificate,
  certificateRenewal,
  hasOwnCertificate,
  loadOwnCertificate,
  readCertificate,
} from './connections/certificate.ts';
import { createServices } from './create-services.ts';
import { LogStream } from './monitoring/log-stream.ts';
import { openSavedFilters } from './open-saved-filters.ts';
import { readPage } from './routes/page-files.ts';
import { isLoopback } from './settings/plain-http.ts';
import { ConfigurationError } from './settings/read-configuration.ts';
import type { Configuration } from './settings/settings.ts';
import { StandbyServer } from './standby-server.ts';

/** A running service. */
export interface Service {
  readonly url: string;
  /** Whether it waits for the data folder, which another server has. */
  readonly isStandby: boolean;
  /** Rejects if the service cannot go on. The process must then end at once, without a stop. */
  readonly failed: Promise<never>;
  /** Finishes active requests and closes the data folder. Acknowledged imports are on disk. */
  stop(): Promise<void>;
}

/** The listener on the port: the server, or its stand-in. */
type Listener = Pick<StandbyServer, 'renew' | 'stop'>;

/** Kinds of background events that the server itself counts. */
const DROPPED = 'log line dropped';
const NOT_RENEWED = 'certificate not renewed';

/** Interval at which the files of `tls-cert` and `tls-key` are read again. */
const RENEWAL_MS = 60_000;

/** Interval at which a server looks for the certificate that another one is creating. */
const CERTIFICATE_MS = 200;

/**
 * Starts the service. With a shared data folder, it may first stand by, and serves once it has the folder.
 *
 * @param output Receives the log, one line of JSON per request. The server never waits for its reader.
 * @throws {ConfigurationError} if the address cannot be used
 * @throws {CertificateError} if the certificate cannot be used
 */
export async function startService(
  configuration: Configuration,
  output: Writable,
  leaseTimes = LEASE_TIMES,
): Promise<Service> {
  const starting = new StartingService(configuration, output, leaseTimes);
  return starting.start();
}

class StartingService {
  private readonly counts = new Map<string, number>();
  private readonly lines: LogStream;
  private readonly log: Logger;
  private readonly stopping = new AbortController();
  private readonly failed: Promise<never>;
  private fail: (error: Error) => void = () => undefined;
  private listener: Listener | undefined;
  /** The wait for the folder and the start of the server after it. */
  private succession: Promise<void> | undefined;

  constructor(
    private readonly configuration: Configuration,
    output: Writable,
    private readonly leaseTimes: LeaseTimes,
  ) {
    this.lines = new LogStream(output, () => this.count(DROPPED));
    this.log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, this.lines);
    this.failed = new Promise((_, reject) => {
      this.fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  async start(): Promise<Service> {
    const { data, host, port, behindProxy, allowHttp } = this.configuration;
    const warning = await checkFolderMode(data);
    if (warning !== undefined) this.log.warn(warning);
    if (behindProxy && !isLoopback(host))
      this.log.warn(
        `--behind-proxy trusts X-Forwarded-Proto and X-Forwarded-For of every client: let only the proxy reach ${host}`,
      );
    const lease = await this.openLease();
    const certificate = await this.loadCertificate(lease);
    const isStandby = lease !== undefined && !lease.isHeld;
    const actualPort = isStandby
      ? await this.standBy(lease, certificate)
      : await this.serve(certificate, port, lease).catch(async (error) => {
          await lease?.release();
          throw error;
        });
    const renewals = this.renewCertificate(certificate);
    const scheme = behindProxy || allowHttp ? 'http' : 'https';
    return {
      url: `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${actualPort}/`,
      isStandby,
      failed: this.failed,
      stop: async () => {
        clearInterval(renewals);
        this.stopping.abort();
        await this.succession;
        await this.listener?.stop();
        await lease?.release();
        await this.lines.flush();
      },
    };
  }

  /** Opens the lease of a shared folder and tries to take it. */
  private async openLease(): Promise<FolderLease | undefined> {
    const { data, sharedData } = this.configuration;
    if (!sharedData) {
      if ((await LeaseFiles.find(data)) === undefined) return undefined;
      const cure = `pass --shared-data, or remove ${data}/lease when no server uses the folder`;
      throw new ConfigurationError(`${data} is shared by several servers: ${cure}`);
    }
    await makeFolder(data);
    const lease = new FolderLease(await LeaseFiles.open(data), this.leaseTimes);
    if (await lease.tryTake()) this.keep(lease);
    return lease;
  }

  private keep(lease: FolderLease): void {
    lease.keep((error) => {
      this.report({ kind: 'lease failed', error });
      this.fail(error);
    });
  }

  private async loadCertificate(lease: FolderLease | undefined): Promise<Certificate> {
    const { data, host, tlsCert, tlsKey } = this.configuration;
    if (tlsCert !== undefined && tlsKey !== undefined) return readCertificate(tlsCert, tlsKey);
    // Two servers that create it at once would mix their files.
    while (lease !== undefined && !lease.isHeld && !(await hasOwnCertificate(data))) {
      if (await lease.tryTake()) this.keep(lease);
      else await pause(CERTIFICATE_MS);
    }
    return loadOwnCertificate(data, host);
  }

  /** Answers that this server stands by until it has the lease, then serves on the same port. */
  private async standBy(lease: FolderLease, certificate: Certificate): Promise<number> {
    const { host, port } = this.configuration;
    const standby = new StandbyServer(certificate);
    const { port: actualPort } = await standby.listen(port, host).catch((error) => {
      throw createAddressError(error, host, port);
    });
    this.listener = standby;
    this.report({ kind: 'standing by', holder: lease.holder });
    const { signal } = this.stopping;
    this.succession = lease
      .take(signal, (error) => this.report({ kind: 'lease failed', error }))
      .then(async () => {
        this.keep(lease);
        if (!signal.aborted) await this.serve(certificate, actualPort, lease);
      })
      .catch((error) => {
        if (signal.aborted) return;
        this.log.error({ error: error.message }, 'cannot take over');
        this.fail(error);
      });
    return actualPort;
  }

  /** Opens the data folder and serves it. A stand-in answers until everything is open. */
  private async serve(certificate: Certificate, port: number, lease: FolderLease | undefined): Promise<number> {
    const { configuration } = this;
    const { data, host, behindProxy, allowHttp, metricsSecret, openMetrics } = configuration;
    const datasets = await Datasets.open(
      data,
      (files) =>
        openStoreApart(
          configuration,
          data,
          files,
          (exit) => this.report({ kind: 'database process ended', exit }),
          lease,
        ),
      this.report,
      lease,
    );
    const server = await buildServer(await createServices(datasets, configuration), {
      filters: await openSavedFilters(configuration, datasets, this.report),
      certificate,
      behindProxy,
      allowHttp,
      log: this.log,
      events: this.counts,
      metrics: { secret: metricsSecret, isOpen: openMetrics || (isLoopback(host) && !behindProxy) },
      page: await readPage({ 'onwhere-source': 'server' }),
      hold: lease,
    });
    await this.listener?.stop();
    try {
      const { port: actualPort } = await server.listen(port, host);
      this.listener = server;
      if (lease !== undefined) this.report({ kind: 'serving' });
      return actualPort;
    } catch (error) {
      await server.stop();
      throw createAddressError(error as NodeJS.ErrnoException, host, port);
    }
  }

  private renewCertificate(certificate: Certificate): NodeJS.Timeout | undefined {
    const { tlsCert, tlsKey } = this.configuration;
    if (tlsCert === undefined || tlsKey === undefined) return undefined;
    const renew = certificateRenewal(tlsCert, tlsKey, certificate, (renewed) => {
      this.listener?.renew(renewed);
      this.log.info('certificate renewed');
    });
    return setInterval(() => {
      renew().catch(({ message }: Error) => {
        this.count(NOT_RENEWED);
        this.log.error({ error: message }, NOT_RENEWED);
      });
    }, RENEWAL_MS);
  }

  private readonly report: ReportEvent = (event) => {
    this.count(event.kind);
    logEvent(this.log, event);
  };

  private count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
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
