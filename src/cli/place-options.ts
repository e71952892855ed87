import type { Command } from 'commander';
import {
  getSettingKey,
  getVariableName,
  SETTINGS,
  type Setting,
  type SettingName,
} from '../service/server/settings/settings.ts';

const AFTER_HELP = `
Options of the service can also be environment variables (--tls-cert is ${getVariableName('tlsCert')})
or keys of the JSON object in the --config file ("tls-cert").
Flags override environment variables, which override the file.`;

/** The settings of the store, for all commands that read or write records. */
export const STORE_SETTINGS = ['data', 'store', 'clickhouseUrl', 'clickhouseCluster', 'memoryLimit'] as const;

/** Adds options for settings. The commands also read the environment and the file of `--config`. */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { placeholder, description, defaultValue }: Setting<unknown> = SETTINGS[name];
    const flag = placeholder === undefined ? getSettingKey(name) : `${getSettingKey(name)} <${placeholder}>`;
    const note = defaultValue === undefined || defaultValue === false ? '' : ` (default: ${defaultValue})`;
    command.option(`--${flag}`, description + note);
  }
  return command.option('--config <file>', 'a JSON file with settings').addHelpText('after', AFTER_HELP);
}

/** Adds the options that name a server, or a project of a data folder, instead of event files. */
export function addPlaceOptions(command: Command): Command {
  return command
    .option('--server <url>', 'read a server, such as https://localhost:8443 (env: ONWHERE_SERVER)')
    .option('--secret <secret>', 'the secret of the project (env: ONWHERE_SECRET)')
    .option('--ca <file>', 'the PEM certificate of a server with a self-signed certificate (env: ONWHERE_CA)')
    .option('--project <name>', 'read this project of a data folder that no server has open');
}
