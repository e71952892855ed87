import { CertificateError } from '../../service/server/connections/certificate.ts';
import { type Service, startService as start } from '../../service/server/serve.ts';
import { ConfigurationError } from '../../service/server/settings/read-configuration.ts';
import type { Configuration } from '../../service/server/settings/settings.ts';
import { LeaseLostError } from '../../service/storage/folder-hold.ts';
import { LEASE_TIMES, type LeaseTimes } from '../../service/storage/folder-lease.ts';
import { EXIT, UsageError } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import { getUnixTime, type Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';
import { DEMO_SETTINGS, describeDemo, prepareDemo } from '../prepare-demo.ts';

export interface ServeCommandOptions extends Readonly<Record<string, unknown>> {
  readonly demo?: true;
}

/** Runs the service until a stop signal. A second signal ends it at once. */
export async function runServe(io: Io, { demo, ...flags }: ServeCommandOptions): Promise<void> {
  const configuration = await loadConfiguration(io, demo ? { ...DEMO_SETTINGS, ...flags } : flags);
  const prepared =
    demo && (await prepareDemo(configuration, getUnixTime(io), (message) => printMessage(io, 'warning', message)));
  const service = await startService(io, configuration);
  const stop = io.signals.stopRequested();
  const lines = prepared ? describeDemo(service.url, prepared) : [];
  const verb = service.isStandby ? 'stands by for' : 'serves';
  await io.out.print([`onwhere ${verb} ${configuration.data} at ${service.url}`, ...lines]);
  // Whatever is still running must not change the data folder any more.
  const end = (error: unknown) => io.exit(error instanceof LeaseLostError ? EXIT.lost : EXIT.data);
  await Promise.race([stop, service.failed.catch(end)]);
  await Promise.race([service.stop(), service.failed.catch(end)]);
  // Log lines that no one reads would keep the process running.
  if (io.err.stream.writableLength > 0) io.exit(EXIT.ok);
}

async function startService(io: Io, configuration: Configuration): Promise<Service> {
  try {
    return await start(configuration, io.err.stream, readLeaseTimes(io));
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message);
    if (error instanceof CertificateError) throw new InputError(error.message);
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new InputError(`Cannot use the data folder ${configuration.data}: ${error.message}`, { cause: error });
  }
}

/** Tests shorten the times of the lease, in the ratio of the real ones. */
function readLeaseTimes({ env }: Io): LeaseTimes {
  const takeover = Number(env.ONWHERE_TEST_TAKEOVER_MS ?? LEASE_TIMES.takeover);
  const scale = (time: number) => (time * takeover) / LEASE_TIMES.takeover;
  return { renew: scale(LEASE_TIMES.renew), valid: scale(LEASE_TIMES.valid), takeover };
}
