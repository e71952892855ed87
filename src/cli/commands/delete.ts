import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { pluralize } from '../../lang/util/strings.ts';
import { Catalog } from '../../service/datasets/catalog.ts';
import { CatalogChanges } from '../../service/datasets/catalog-changes.ts';
import { Datasets } from '../../service/datasets/datasets.ts';
import { paths } from '../../service/datasets/paths.ts';
import type { Configuration } from '../../service/server/settings.ts';
import { FolderInUseError } from '../../service/storage/folder-lock.ts';
import { openStore } from '../../service/store/open-store.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';

interface DeleteOptions extends Readonly<Record<string, unknown>> {
  readonly yes?: true;
}

/** How long to wait for the removal of files, which a query may still read. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 50;

/** Deletes a project with all of its data. */
export async function deleteProject(io: Io, name: string, { yes, ...flags }: DeleteOptions): Promise<void> {
  const configuration = await loadConfiguration(io, flags);
  const { data } = configuration;
  const catalog = new Catalog(data);
  await catalog.project(name);
  const datasets = await catalog.datasets(name);
  await confirm(io, yes, name, `the project ${name} with ${pluralize(datasets.length, 'dataset')}`);
  await new CatalogChanges(catalog, data, name).deleteProject();
  await remove(io, configuration, `The project ${name}`, paths.project(data, name));
}

/** Deletes a dataset with all of its versions. */
export async function deleteDataset(
  io: Io,
  datasetId: string,
  { yes, project, ...flags }: DeleteOptions & { readonly project: string },
): Promise<void> {
  const configuration = await loadConfiguration(io, flags);
  const { data } = configuration;
  const catalog = new Catalog(data);
  await catalog.dataset(project, datasetId);
  const versions = await catalog.versions(project, datasetId);
  const what = `the dataset ${datasetId} of ${project} with ${pluralize(versions.length, 'version')}`;
  await confirm(io, yes, datasetId, what);
  await new CatalogChanges(catalog, data, project).deleteDataset(datasetId);
  await remove(io, configuration, `The dataset ${datasetId}`, paths.dataset(data, project, datasetId));
}

async function confirm(io: Io, yes: true | undefined, name: string, what: string): Promise<void> {
  if (yes) return;
  if (!io.in.isTTY) throw new UsageError(`This deletes ${what}: confirm it with --yes`);
  const line = createInterface({ input: io.in });
  io.err.write(`This deletes ${what}. Type ${name} to confirm: `);
  const answer = await line.question('');
  line.close();
  if (answer !== name) throw new UsageError('Nothing was deleted: that is another name');
}

/** Removes what is marked as deleted, unless a server has the folder open, which does so itself. */
async function remove(io: Io, configuration: Configuration, what: string, folder: string): Promise<void> {
  const datasets = await Datasets.open(
    configuration.data,
    (temporaryFolder) => openStore(configuration, temporaryFolder),
    (event) => 'error' in event && printMessage(io, 'warning', `${event.kind}: ${event.error.message}`),
  ).catch((error) => {
    if (error instanceof FolderInUseError) return undefined;
    throw error;
  });
  for (const end = performance.now() + PATIENCE_MS; existsSync(folder) && performance.now() < end; )
    await pause(PAUSE_MS);
  await datasets?.close();
  const rest = existsSync(folder) ? ' The server that has the folder open removes its files.' : '';
  await io.out.print([`${what} is deleted.${rest}`]);
}
