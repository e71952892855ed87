import { readFile } from 'node:fs/promises';
import { ConfigurationError, readConfiguration } from '../service/server/settings/read-configuration.ts';
import type { Configuration } from '../service/server/settings/settings.ts';
import { UsageError } from './exit.ts';
import { explainSystemError } from './input/input-error.ts';
import type { Io } from './io.ts';

/**
 * Reads the settings of the service from flags, the environment and a file. Files created afterwards are readable by
 * this user only.
 *
 * @throws {UsageError} if a setting is invalid.
 * @throws {InputError} if the file cannot be read.
 */
export async function loadConfiguration(io: Io, flags: Readonly<Record<string, unknown>>): Promise<Configuration> {
  const { env } = io;
  io.makeFilesPrivate();
  const { config = env.ONWHERE_CONFIG } = flags as { readonly config?: string };
  const file = config === undefined ? undefined : { name: config, text: await readText(config) };
  try {
    return readConfiguration({ flags, environment: env, file });
  } catch (error) {
    throw error instanceof ConfigurationError ? new UsageError(error.message) : error;
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw explainSystemError(error, file);
  }
}
