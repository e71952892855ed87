import type { Writable } from 'node:stream';
import { CertificateError } from '../../service/server/certificate.ts';
import { ConfigurationError } from '../../service/server/read-configuration.ts';
import { type Service, startService as start } from '../../service/server/serve.ts';
import type { Configuration } from '../../service/server/settings.ts';
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
  const service = await startService(configuration, io.err.stream);
  const stop = io.signals.stopRequested();
  const lines = prepared ? describeDemo(service.url, prepared) : [];
  await io.out.print([`onwhere serves ${configuration.data} at ${service.url}`, ...lines]);
  await stop;
  await service.stop();
  // Log lines that no one reads would keep the process running.
  if (io.err.stream.writableLength > 0) io.exit(EXIT.ok);
}

async function startService(configuration: Configuration, log: Writable): Promise<Service> {
  try {
    return await start(configuration, log);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message);
    if (error instanceof CertificateError) throw new InputError(error.message);
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new InputError(`Cannot use the data folder ${configuration.data}: ${error.message}`, { cause: error });
  }
}
