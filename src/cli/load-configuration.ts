import { readFile } from 'node:fs/promises';
import { ConfigurationError, readConfiguration } from '../service/server/settings/read-configuration.ts';
import type { Configuration } from '../service/server/settings/settings.ts';
import { readKnownFormat } from '../service/storage/folder-format.ts';
import { readVariable } from './environment.ts';
import { UsageError } from './exit.ts';
import { explainSystemError } from './input/input-error.ts';
import type { Io } from './io.ts';

/**
 * Reads the settings of the service from flags, the environment and a file. Files created afterwards are readable by
 * this user only. Commands that take no lock also find out here that a newer release wrote the data folder.
 *
 * @throws {UsageError} if a setting is invalid.
 * @throws {FolderFormatError} if this release cannot read the data folder.
 * @throws {InputError} if the file cannot be read.
 */
export async function loadConfiguration(io: Io, flags: Readonly<Record<string, unknown>>): Promise<Configuration> {
  const { env } = io;
  io.makeFilesPrivate();
  const { config = readVariable(io, 'config') } = flags as { readonly config?: string };
  const file = config === undefined ? undefined : { name: config, text: await readText(config) };
  const configuration = readSettings({ flags, environment: env, file });
  await readKnownFormat(configuration.data);
  return configuration;
}

function readSettings(sources: Parameters<typeof readConfiguration>[0]): Configuration {
  try {
    return readConfiguration(sources);
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
