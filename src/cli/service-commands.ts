import { type Command, InvalidArgumentError, Option } from 'commander';
import { ACCESS_SCOPES } from '../service/datasets/access.ts';
import type { FunnelStep } from '../service/datasets/funnels.ts';
import { LENGTH_UNITS } from '../service/datasets/funnels.ts';
import {
  getSettingKey,
  getVariableName,
  SETTINGS,
  type Setting,
  type SettingName,
} from '../service/server/settings.ts';
import type { Io } from './io.ts';

const AFTER_HELP = `
All options that have to do with the service may also stand in the environment, --tls-cert as ${getVariableName('tlsCert')}, and in the file of --config,
a JSON object, as "tls-cert". A flag counts more than the environment, and that more than the file.`;

const FUNNEL_EXAMPLE = `
A filter stands behind the step that it is for:
  onwhere funnel create sign-up --project shop --step view --step buy --where 'properties["amount"] > 10' --length 14`;

const YES = ['--yes', 'do not ask for the name once more'] as const;

/** What all that reads or writes records is told of their store. */
export const STORE_SETTINGS = ['data', 'store', 'clickhouseUrl', 'clickhouseCluster', 'memoryLimit'] as const;

const KEY_EXAMPLE = `
A key that a page may show, as it opens only the queries about one country:
  onwhere secret create web --project shop --scope query --where 'properties["country"] == "NL"' --expires 90d`;

/** The commands of the service. */
export function addServiceCommands(program: Command, io: Io, exit: (code: number) => void): void {
  withSettings(program.command('serve'), Object.keys(SETTINGS) as SettingName[])
    .description('serve the import of events and people into versions of datasets, over HTTPS')
    .option('--demo', 'over plain HTTP, with a project and sample events; says what to try')
    .action(async (options) => (await import('./commands/serve.ts')).runServe(io, options));
  addCatalogCommands(program, io);
  addSecretCommands(program, io);
  addFunnelCommands(program, io);
  withSettings(program.command('import'), STORE_SETTINGS)
    .description('make a live version of a dataset of the records in files: all of them, or nothing')
    .argument('<files...>', 'events and people, as the other commands read them or in Parquet; - for standard input')
    .requiredOption('--project <name>', 'a project')
    .requiredOption('--dataset <dataset_id>', 'one of its datasets')
    .action(async (files, options) => (await import('./commands/import.ts')).importFiles(io, files, options));
  withSettings(program.command('fsck'), STORE_SETTINGS)
    .description('check a data folder that no server has open, and say what is damaged; exit code 3 if anything is')
    .option('--repair', 'move what is damaged to the folder damaged in it; nothing is removed, and the exit code is 0')
    .action(async (options) => exit(await (await import('./commands/fsck.ts')).runFsck(io, options)));
}

function addCatalogCommands(program: Command, io: Io): void {
  const project = program.command('project').description('make, list and delete the projects of the service');
  withJson(project.command('create'))
    .description('make a project, and print its token and its secret')
    .argument('<name>', 'what to call it')
    .option('--time-zone <zone>', 'where its days begin, like Europe/Berlin', 'UTC')
    .option('--no-signatures', 'refuse the deprecated signed requests, and keep the secret only as a hash')
    .action(async (name, options) => (await import('./commands/project.ts')).createProject(io, name, options));
  withJson(project.command('list'))
    .description('list the projects')
    .action(async (options) => (await import('./commands/project.ts')).listProjects(io, options));
  withSettings(project.command('delete'), STORE_SETTINGS)
    .description('delete a project with all of its data')
    .argument('<name>', 'a project')
    .option(...YES)
    .action(async (name, options) => (await import('./commands/delete.ts')).deleteProject(io, name, options));

  const dataset = program.command('dataset').description('make, list and delete the datasets of a project');
  withJson(dataset.command('create'))
    .description('make a dataset, and print its secret')
    .argument('<dataset_id>', 'letters and digits')
    .requiredOption('--project <name>', 'the project it belongs to')
    .action(async (id, options) => (await import('./commands/dataset.ts')).createDataset(io, id, options));
  withJson(dataset.command('list'))
    .description('list the datasets of a project')
    .requiredOption('--project <name>', 'a project')
    .action(async (options) => (await import('./commands/dataset.ts')).listDatasets(io, options));
  withSettings(dataset.command('delete'), STORE_SETTINGS)
    .description('delete a dataset with all of its versions')
    .argument('<dataset_id>', 'a dataset')
    .requiredOption('--project <name>', 'the project it belongs to')
    .option(...YES)
    .action(async (id, options) => (await import('./commands/delete.ts')).deleteDataset(io, id, options));
}

function addSecretCommands(program: Command, io: Io): void {
  const secret = program
    .command('secret')
    .description('list, replace and revoke the secrets of a project, and make keys that open a part of it');
  const load = () => import('./commands/secret.ts');
  ofProject(secret.command('list'))
    .description('list the secrets and keys of a project, which are named by a part of their hashes')
    .action(async (options) => (await load()).listSecrets(io, options));
  ofProject(secret.command('create'))
    .description('make a key, and print its secret')
    .argument('<name>', 'what to call it, in the log too')
    .addOption(
      new Option('--scope <scopes...>', 'what it is for: its queries only read')
        .choices(ACCESS_SCOPES)
        .makeOptionMandatory(),
    )
    .option('--dataset <dataset_id>', 'the only dataset that it opens')
    .option('--where <filter>', 'the only events and people that its queries read')
    .option('--expires <time>', 'how long it holds, like 12h or 90d', toDuration)
    .addHelpText('after', KEY_EXAMPLE)
    .action(async (name, options) => (await load()).createKey(io, name, options));
  ofOwner(secret.command('rotate'))
    .description('replace the secret of a project, a dataset or a key, and print the new one')
    .option('--grace <time>', 'how long the old one holds, like 30m or 1h', toDuration)
    .option('--signatures', 'take the deprecated signed requests, made with the secret of the project')
    .option('--no-signatures', 'refuse them, and keep the secret only as a hash')
    .action(async (key, options) => (await load()).rotateSecret(io, key, options));
  ofOwner(secret.command('revoke'))
    .description('end the secret of a project, a dataset or a key, at once')
    .action(async (key, options) => (await load()).revokeSecret(io, key, options));
}

function ofProject(command: Command): Command {
  return withJson(command).requiredOption('--project <name>', 'a project');
}

function ofOwner(command: Command): Command {
  return ofProject(command)
    .argument('[key]', 'the name of a key; without it, the secret of the project')
    .option('--dataset <dataset_id>', 'instead, the secret of a dataset');
}

function addFunnelCommands(program: Command, io: Io): void {
  const funnel = program.command('funnel').description('make, list and delete the funnels of a project');
  const steps: FunnelStep[] = [];
  withJson(funnel.command('create'))
    .description('make a funnel, and print its id')
    .argument('<name>', 'what to call it')
    .requiredOption('--project <name>', 'the project it belongs to')
    .addOption(stepOption(steps))
    .addOption(whereOption(steps))
    .option('--length <number>', 'how long users may take from the first step to the last', toLength, 14)
    .addOption(
      new Option('--length-unit <unit>', 'what the length is counted in')
        .choices(Object.keys(LENGTH_UNITS))
        .default('day'),
    )
    .addHelpText('after', FUNNEL_EXAMPLE)
    .action(async (name, options) =>
      (await import('./commands/funnel.ts')).createFunnel(io, name, { ...options, steps }),
    );
  withJson(funnel.command('list'))
    .description('list the funnels of a project')
    .requiredOption('--project <name>', 'a project')
    .action(async (options) => (await import('./commands/funnel.ts')).listFunnels(io, options));
  withJson(funnel.command('delete'))
    .description('delete a funnel')
    .argument('<funnel_id>', 'as funnel list shows it')
    .requiredOption('--project <name>', 'the project it belongs to')
    .action(async (id, options) => (await import('./commands/funnel.ts')).deleteFunnel(io, id, options));
}

/** Steps are gathered in their order, each with the filter behind it. */
function stepOption(steps: FunnelStep[]): Option {
  return new Option('--step <event>', 'the event of the next step; once for each')
    .makeOptionMandatory()
    .argParser((event) => steps.push({ event }));
}

function whereOption(steps: FunnelStep[]): Option {
  return new Option('--where <expression>', 'which events of the step before it count').argParser((where) => {
    const step = steps.pop();
    if (step === undefined) throw new InvalidArgumentError('It stands behind the --step that it is for.');
    if (step.where !== undefined)
      throw new InvalidArgumentError('The step has a filter already: join the two by `and`.');
    return steps.push({ ...step, where });
  });
}

/** Milliseconds. */
function toDuration(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('It takes a number with a unit: 30m, 12h or 90d.');
  return Number(number) * ({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] as number);
}

function toLength(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number.');
}

function withJson(command: Command): Command {
  return withSettings(command, ['data']).option('--json', 'print JSON');
}

/** Adds options for settings. Where a setting is written is for the command to find out. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { placeholder, description, value }: Setting<unknown> = SETTINGS[name];
    const flag = placeholder === undefined ? getSettingKey(name) : `${getSettingKey(name)} <${placeholder}>`;
    const otherwise = value === undefined || value === false ? '' : ` (default: ${value})`;
    command.option(`--${flag}`, description + otherwise);
  }
  return command.option('--config <file>', 'a file with settings').addHelpText('after', AFTER_HELP);
}
