import type { Command } from 'commander';
import { keyOf, SETTINGS, type Setting, type SettingName, variableOf } from '../server/settings.ts';

const AFTER_HELP = `
All options that have to do with the service may also stand in the environment, --tls-cert as ${variableOf('tlsCert')}, and in the file of --config,
a JSON object, as "tls-cert". A flag counts more than the environment, and that more than the file.`;

/** What all that reads or writes records is told of their store. */
const STORE_SETTINGS = ['data', 'store', 'clickhouseUrl', 'clickhouseCluster', 'memoryLimit'] as const;

/** The commands of the service. */
export function addServiceCommands(program: Command): void {
  withSettings(program.command('serve'), Object.keys(SETTINGS) as SettingName[])
    .description('serve the import of events and people into versions of datasets, over HTTPS')
    .option('--demo', 'over plain HTTP, with a project and sample events; says what to try')
    .action(async (options) => (await import('./commands/serve.ts')).serve(options));
  addCatalogCommands(program);
  withSettings(program.command('import'), STORE_SETTINGS)
    .description('make a live version of a dataset of the records in files: all of them, or nothing')
    .argument('<files...>', 'events and people, as the other commands read them or in Parquet; - for standard input')
    .requiredOption('--project <name>', 'a project')
    .requiredOption('--dataset <dataset_id>', 'one of its datasets')
    .action(async (files, options) => (await import('./commands/import.ts')).importFiles(files, options));
}

function addCatalogCommands(program: Command): void {
  const project = program.command('project').description('make and list the projects of the service');
  withJson(project.command('create'))
    .description('make a project, and print its token and its secret')
    .argument('<name>', 'what to call it')
    .option('--time-zone <zone>', 'where its days begin, like Europe/Berlin', 'UTC')
    .action(async (name, options) => (await import('./commands/project.ts')).createProject(name, options));
  withJson(project.command('list'))
    .description('list the projects')
    .action(async (options) => (await import('./commands/project.ts')).listProjects(options));

  const dataset = program.command('dataset').description('make and list the datasets of a project');
  withJson(dataset.command('create'))
    .description('make a dataset, and print its secret')
    .argument('<dataset_id>', 'letters and digits')
    .requiredOption('--project <name>', 'the project it belongs to')
    .action(async (id, options) => (await import('./commands/dataset.ts')).createDataset(id, options));
  withJson(dataset.command('list'))
    .description('list the datasets of a project')
    .requiredOption('--project <name>', 'a project')
    .action(async (options) => (await import('./commands/dataset.ts')).listDatasets(options));
}

function withJson(command: Command): Command {
  return withSettings(command, ['data']).option('--json', 'print JSON');
}

/** Where a setting is written is for the command to find out. */
function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { placeholder, description, value }: Setting<unknown> = SETTINGS[name];
    const flag = placeholder === undefined ? keyOf(name) : `${keyOf(name)} <${placeholder}>`;
    const otherwise = value === undefined || value === false ? '' : ` (default: ${value})`;
    command.option(`--${flag}`, description + otherwise);
  }
  return command.option('--config <file>', 'a file with settings').addHelpText('after', AFTER_HELP);
}
