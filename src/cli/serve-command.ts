import type { Command } from 'commander';
import { keyOf, SETTINGS, type Setting, variableOf } from '../server/settings.ts';

const AFTER_HELP = `
Each option may also stand in the environment, --tls-cert as ${variableOf('tlsCert')}, and in the file of --config, a JSON object,
as "tls-cert". A flag counts more than the environment, and that more than the file.`;

/** The command that runs the service. Where a setting is written is for the command to find out. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('serve the import of events and people into versions of datasets, over HTTPS')
    .addHelpText('after', AFTER_HELP);
  for (const [name, setting] of Object.entries(SETTINGS as Record<string, Setting<unknown>>)) {
    const { placeholder, description, value } = setting;
    const flag = placeholder === undefined ? keyOf(name) : `${keyOf(name)} <${placeholder}>`;
    const otherwise = value === undefined || value === false ? '' : ` (default: ${value})`;
    command.option(`--${flag}`, description + otherwise);
  }
  command
    .option('--config <file>', 'a file with settings')
    .action(async (options) => (await import('./commands/serve.ts')).serve(options));
}
