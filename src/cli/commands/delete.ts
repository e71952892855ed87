import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { pluralize } from '../../base/strings.ts';
import { Catalog } from '../../service/datasets/catalog/catalog.ts';
import { CatalogChanges } from '../../service/datasets/catalog/catalog-changes.ts';
import { Datasets } from '../../service/datasets/datasets.ts';
import { paths } from '../../service/datasets/files/paths.ts';
import type { Configuration } from '../../service/server/settings/settings.ts';
import { FolderInUseError } from '../../service/storage/folder-lock.ts';
import { openStore } from '../../service/store/open-store.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';

interface DeleteOptions extends Readonly<Record<string, unknown>> {
  readonly yes?: true;
}

/** The maximum time to wait until the files are removed. A running query may still read them. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 50;

/** Deletes a project and all of its data. */
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

/** Deletes a dataset and all of its versions. */
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
  if (!io.in.isTTY) throw new UsageError(`This deletes ${what}. Pass --yes to confirm.`);
  const line = createInterface({ input: io.in });
  io.err.write(`This deletes ${what}. Type ${name} to confirm: `);
  const answer = await line.question('');
  line.close();
  if (answer !== name) throw new UsageError('Nothing was deleted: the name does not match');
}

/** Removes the files of what was deleted. A server that has the folder open removes them itself. */
async function remove(io: Io, configuration: Configuration, what: string, folder: string): Promise<void> {
  const datasets = await Datasets.open(
    configuration.data,
    (files) => openStore(configuration, files),
    (event) => 'error' in event && printMessage(io, 'warning', `${event.kind}: ${event.error.message}`),
  ).catch((error) => {
    if (error instanceof FolderInUseError) return undefined;
    throw error;
  });
  for (const end = performance.now() + MAX_WAIT_MS; existsSync(folder) && performance.now() < end; )
    await pause(POLL_MS);
  await datasets?.close();
  const rest = existsSync(folder) ? ' The server that has the folder open will remove its files.' : '';
  await io.out.print([`${what} was deleted.${rest}`]);
}
