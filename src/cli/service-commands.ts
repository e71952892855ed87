import { type Command, InvalidArgumentError, Option } from 'commander';
import { PERMISSIONS } from '../queries/access.ts';
import type { FunnelStep } from '../queries/funnel-content.ts';
import { LENGTH_UNITS } from '../queries/funnel-content.ts';
import { SETTINGS, type SettingName } from '../service/server/settings/settings.ts';
import type { Io } from './io.ts';
import { addFieldOptions, addFormatOptions } from './options.ts';
import { addSettings, STORE_SETTINGS } from './place-options.ts';

const FUNNEL_EXAMPLE = `
Write the filter of a step after the step:
  onwhere funnel create sign-up --project shop --step view --step buy --where 'properties["amount"] > 10' --length 14`;

const YES = ['--yes', 'do not ask for confirmation'] as const;

const KEY_EXAMPLE = `
A key that is safe to embed in a page, because it can only query one country:
  onwhere secret create web --project shop --scope query --where 'properties["country"] == "NL"' --expires 90d`;

/** Adds the commands of the service. */
export function addServiceCommands(program: Command, io: Io, exit: (code: number) => void): void {
  addSettings(program.command('serve'), Object.keys(SETTINGS) as SettingName[])
    .description('serve imports and queries of datasets over HTTPS')
    .option('--demo', 'use plain HTTP, create a project with sample events and print commands to try')
    .action(async (options) => (await import('./commands/serve.ts')).runServe(io, options));
  addCatalogCommands(program, io);
  addSecretCommands(program, io);
  addFunnelCommands(program, io);
  addFormatOptions(addFieldOptions(addSettings(program.command('import'), STORE_SETTINGS)))
    .description('import files as a new live version of a dataset: all of their records or, on an error, none')
    .argument('<files...>', 'files of events and people, folders or quoted patterns; - is standard input')
    .requiredOption('--project <name>', 'the project')
    .requiredOption('--dataset <dataset_id>', 'a dataset of the project')
    .option('--json', 'print JSON')
    .action(async (files, options) => (await import('./commands/import.ts')).importFiles(io, files, options));
  addSettings(program.command('fsck'), STORE_SETTINGS)
    .description('check a data folder for damage while no server has it open; exits with 3 if it finds any')
    .option('--repair', 'move damaged files to the subfolder "damaged" and exit with 0; nothing is deleted')
    .option('--json', 'print JSON')
    .action(async (options) => exit(await (await import('./commands/fsck.ts')).runFsck(io, options)));
}

function addCatalogCommands(program: Command, io: Io): void {
  const project = program.command('project').description('create, list and delete projects');
  addJsonOption(project.command('create'))
    .description('create a project and print its token and secret')
    .argument('<name>', 'its name')
    .option('--time-zone <zone>', 'the time zone of its days, such as Europe/Berlin', 'UTC')
    .option('--no-signatures', 'refuse deprecated signed requests; stores the secret only as a hash')
    .action(async (name, options) => (await import('./commands/project.ts')).createProject(io, name, options));
  addJsonOption(project.command('list'))
    .description('list all projects')
    .action(async (options) => (await import('./commands/project.ts')).listProjects(io, options));
  addSettings(project.command('delete'), STORE_SETTINGS)
    .description('delete a project and all of its data')
    .argument('<name>', 'the project')
    .option(...YES)
    .action(async (name, options) => (await import('./commands/delete.ts')).deleteProject(io, name, options));

  const dataset = program.command('dataset').description('create, list and delete datasets');
  addJsonOption(dataset.command('create'))
    .description('create a dataset and print its secret')
    .argument('<dataset_id>', 'letters and digits')
    .requiredOption('--project <name>', 'its project')
    .action(async (id, options) => (await import('./commands/dataset.ts')).createDataset(io, id, options));
  addJsonOption(dataset.command('list'))
    .description('list the datasets of a project')
    .requiredOption('--project <name>', 'the project')
    .action(async (options) => (await import('./commands/dataset.ts')).listDatasets(io, options));
  addSettings(dataset.command('delete'), STORE_SETTINGS)
    .description('delete a dataset and all of its versions')
    .argument('<dataset_id>', 'the dataset')
    .requiredOption('--project <name>', 'its project')
    .option(...YES)
    .action(async (id, options) => (await import('./commands/delete.ts')).deleteDataset(io, id, options));
}

function addSecretCommands(program: Command, io: Io): void {
  const secret = program
    .command('secret')
    .description('list, show, rotate and revoke secrets, and create keys with limited access');
  const load = () => import('./commands/secret.ts');
  addProjectOptions(secret.command('list'))
    .description('list the secrets and keys of a project with the first digits of their hashes')
    .action(async (options) => (await load()).listSecrets(io, options));
  addProjectOptions(secret.command('create'))
    .description('create a key and print its secret, or a service account and print its password')
    .argument('<name>', 'its name, which the log also shows')
    .addOption(
      new Option('--scope <scopes...>', 'the kinds of requests it can make').choices(PERMISSIONS).makeOptionMandatory(),
    )
    .option('--dataset <dataset_id>', 'limit it to one dataset')
    .option('--where <filter>', 'limit its queries to matching events and people')
    .option('--expires <time>', 'how long it is valid, such as 12h or 90d', parseDuration)
    .option('--service-account', 'a user name and a password, for clients that send both')
    .addHelpText('after', KEY_EXAMPLE)
    .action(async (name, options) => (await load()).createKey(io, name, options));
  addProjectOptions(secret.command('show'))
    .description('print what a key can do, and which data it sees')
    .argument('<name>', 'the name of a key')
    .action(async (name, options) => (await load()).showKey(io, name, options));
  addOwnerOptions(secret.command('rotate'))
    .description('replace the secret of a project, dataset or key and print the new one')
    .option('--grace <time>', 'how long the old secret stays valid, such as 30m or 1h', parseDuration)
    .option('--signatures', 'accept deprecated signed requests; stores the secret of the project in plain text')
    .option('--no-signatures', 'refuse signed requests; stores the secret only as a hash')
    .action(async (key, options) => (await load()).rotateSecret(io, key, options));
  addOwnerOptions(secret.command('revoke'))
    .description('revoke the secret of a project, dataset or key immediately')
    .action(async (key, options) => (await load()).revokeSecret(io, key, options));
}

function addProjectOptions(command: Command): Command {
  return addJsonOption(command).requiredOption('--project <name>', 'the project');
}

function addOwnerOptions(command: Command): Command {
  return addProjectOptions(command)
    .argument('[key]', 'the name of a key (default: the secret of the project)')
    .option('--dataset <dataset_id>', 'the secret of this dataset instead');
}

function addFunnelCommands(program: Command, io: Io): void {
  const funnel = program.command('funnel');
  const steps: FunnelStep[] = [];
  addJsonOption(funnel.command('create'))
    .description('create a funnel and print its id')
    .argument('<name>', 'its name')
    .requiredOption('--project <name>', 'its project')
    .addOption(createStepOption(steps))
    .addOption(createWhereOption(steps))
    .option('--length <number>', 'the maximum time from the first step to the last', parseLength, 14)
    .addOption(
      new Option('--length-unit <unit>', 'the unit of the length').choices(Object.keys(LENGTH_UNITS)).default('day'),
    )
    .addHelpText('after', FUNNEL_EXAMPLE)
    .action(async (name, options) =>
      (await import('./commands/funnel.ts')).createFunnel(io, name, { ...options, steps }),
    );
  addJsonOption(funnel.command('list'))
    .description('list the funnels of a project')
    .requiredOption('--project <name>', 'the project')
    .action(async (options) => (await import('./commands/funnel.ts')).listFunnels(io, options));
  addJsonOption(funnel.command('delete'))
    .description('delete a funnel')
    .argument('<funnel_id>', 'the id, as `onwhere funnel list` prints it')
    .requiredOption('--project <name>', 'its project')
    .action(async (id, options) => (await import('./commands/funnel.ts')).deleteFunnel(io, id, options));
}

/** Creates the `--step` option, which appends to `steps`. */
function createStepOption(steps: FunnelStep[]): Option {
  return new Option('--step <event>', 'the event of a step; repeat it for each step')
    .makeOptionMandatory()
    .argParser((event) => steps.push({ event }));
}

/** Creates the `--where` option, which applies to the last step. */
function createWhereOption(steps: FunnelStep[]): Option {
  return new Option('--where <expression>', 'a filter for the events of the step before it').argParser((where) => {
    const step = steps.pop();
    if (step === undefined) throw new InvalidArgumentError('Write --where after the --step it applies to.');
    if (step.where !== undefined)
      throw new InvalidArgumentError('The step already has a filter. Join the two with `and`.');
    return steps.push({ ...step, where });
  });
}

/** Returns milliseconds. */
function parseDuration(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('Expected a number with a unit, such as 30m, 12h or 90d.');
  return Number(number) * ({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] as number);
}

function parseLength(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number.');
}

function addJsonOption(command: Command): Command {
  return addSettings(command, ['data']).option('--json', 'print JSON');
}
