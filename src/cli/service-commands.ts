import { type Command, Option } from 'commander';

/** The commands of the service. */
export function addServiceCommands(program: Command): void {
  const project = program.command('project').description('make and list the projects of the service');
  withCatalog(project.command('create'))
    .description('make a project, and print its token and its secret')
    .argument('<name>', 'what to call it')
    .option('--time-zone <zone>', 'where its days begin, like Europe/Berlin', 'UTC')
    .action(async (name, options) => (await import('./commands/project.ts')).createProject(name, options));
  withCatalog(project.command('list'))
    .description('list the projects')
    .action(async (options) => (await import('./commands/project.ts')).listProjects(options));

  const dataset = program.command('dataset').description('make and list the datasets of a project');
  withCatalog(dataset.command('create'))
    .description('make a dataset, and print its secret')
    .argument('<dataset_id>', 'letters and digits')
    .requiredOption('--project <name>', 'the project it belongs to')
    .action(async (id, options) => (await import('./commands/dataset.ts')).createDataset(id, options));
  withCatalog(dataset.command('list'))
    .description('list the datasets of a project')
    .requiredOption('--project <name>', 'a project')
    .action(async (options) => (await import('./commands/dataset.ts')).listDatasets(options));
}

function withCatalog(command: Command): Command {
  return command.addOption(dataOption()).option('--json', 'print JSON');
}

/** The option of all that works on a data folder. */
export function dataOption(): Option {
  return new Option('--data <folder>', 'the data folder of the service').default('onwhere-data').env('ONWHERE_DATA');
}
