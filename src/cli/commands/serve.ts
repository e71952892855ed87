import { readFile } from 'node:fs/promises';
import { Datasets } from '../../datasets/datasets.ts';
import { CertificateError } from '../../server/certificate.ts';
import { ConfigurationError, readConfiguration } from '../../server/read-configuration.ts';
import { type Service, serve as start } from '../../server/serve.ts';
import type { Configuration } from '../../server/settings.ts';
import { EXIT, UsageError } from '../exit.ts';
import { explainSystemError, InputError } from '../input/input-error.ts';
import { Output } from '../output.ts';

export interface ServeOptions extends Readonly<Record<string, unknown>> {
  readonly config?: string;
}

/** Serves the interfaces until it is asked to stop; whoever asks twice does not wait. */
export async function serve({ config = process.env.ONWHERE_CONFIG, ...flags }: ServeOptions): Promise<void> {
  const configuration = await configured(flags, config);
  const service = await started(configuration);
  const stop = stopRequest();
  await Output.print([`onwhere keeps ${configuration.data} and serves it at ${service.url}`]);
  await stop;
  await service.stop();
}

async function configured(flags: ServeOptions, config: string | undefined): Promise<Configuration> {
  const file = config === undefined ? undefined : { name: config, text: await textOf(config) };
  try {
    return readConfiguration({ flags, environment: process.env, file });
  } catch (error) {
    throw explained(error);
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw explainSystemError(error, file);
  }
}

async function started(configuration: Configuration): Promise<Service> {
  try {
    return await start(configuration, Datasets.open);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw explained(error);
    throw new InputError(`The data folder ${configuration.data} cannot be used: ${error.message}`, { cause: error });
  }
}

function explained(error: unknown): unknown {
  if (error instanceof ConfigurationError) return new UsageError(error.message);
  return error instanceof CertificateError ? new InputError(error.message) : error;
}

/** Comes with the first signal to stop. */
function stopRequest(): Promise<void> {
  // Other commands end at once.
  process.removeAllListeners('SIGINT');
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT.interrupted);
        asked = true;
        resolve();
      });
    }
  });
}
