import { type Command, InvalidArgumentError, Option } from 'commander';
import type { FunnelStep } from '../datasets/funnels.ts';
import { LENGTH_UNITS } from '../datasets/length-units.ts';
import { keyOf, SETTINGS, type Setting, type SettingName, variableOf } from '../server/settings.ts';
import type { Io } from './io.ts';

const AFTER_HELP = `
All options that have to do with the service may also stand in the environment, --tls-cert as ${variableOf('tlsCert')}, and in the file of --config,
a JSON object, as "tls-cert". A flag counts more than the environment, and that more than the file.`;

const FUNNEL_EXAMPLE = `
A filter stands behind the step that it is for:
  onwhere funnel create sign-up --project shop --step view --step buy --where 'properties["amount"] > 10' --length 14`;

/** What all that reads or writes records is told of their store. */
export const STORE_SETTINGS = ['data', 'store', 'clickhouseUrl', 'clickhouseCluster', 'memoryLimit'] as const;

/** The commands of the service. */
export function addServiceCommands(program: Command, io: Io): void {
  withSettings(program.command('serve'), Object.keys(SETTINGS) as SettingName[])
    .description('serve the import of events and people into versions of datasets, over HTTPS')
    .option('--demo', 'over plain HTTP, with a project and sample events; says what to try')
    .action(async (options) => (await import('./commands/serve.ts')).serve(io, options));
  addCatalogCommands(program, io);
  addFunnelCommands(program, io);
  withSettings(program.command('import'), STORE_SETTINGS)
    .description('make a live version of a dataset of the records in files: all of them, or nothing')
    .argument('<files...>', 'events and people, as the other commands read them or in Parquet; - for standard input')
    .requiredOption('--project <name>', 'a project')
    .requiredOption('--dataset <dataset_id>', 'one of its datasets')
    .action(async (files, options) => (await import('./commands/import.ts')).importFiles(io, files, options));
}

function addCatalogCommands(program: Command, io: Io): void {
  const project = program.command('project').description('make and list the projects of the service');
  withJson(project.command('create'))
    .description('make a project, and print its token and its secret')
    .argument('<name>', 'what to call it')
    .option('--time-zone <zone>', 'where its days begin, like Europe/Berlin', 'UTC')
    .action(async (name, options) => (await import('./commands/project.ts')).createProject(io, name, options));
  withJson(project.command('list'))
    .description('list the projects')
    .action(async (options) => (await import('./commands/project.ts')).listProjects(io, options));

  const dataset = program.command('dataset').description('make and list the datasets of a project');
  withJson(dataset.command('create'))
    .description('make a dataset, and print its secret')
    .argument('<dataset_id>', 'letters and digits')
    .requiredOption('--project <name>', 'the project it belongs to')
    .action(async (id, options) => (await import('./commands/dataset.ts')).createDataset(io, id, options));
  withJson(dataset.command('list'))
    .description('list the datasets of a project')
    .requiredOption('--project <name>', 'a project')
    .action(async (options) => (await import('./commands/dataset.ts')).listDatasets(io, options));
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
    const flag = placeholder === undefined ? keyOf(name) : `${keyOf(name)} <${placeholder}>`;
    const otherwise = value === undefined || value === false ? '' : ` (default: ${value})`;
    command.option(`--${flag}`, description + otherwise);
  }
  return command.option('--config <file>', 'a file with settings').addHelpText('after', AFTER_HELP);
}
