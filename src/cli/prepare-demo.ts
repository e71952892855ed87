import { Catalog } from '../datasets/catalog.ts';
import { CatalogError } from '../datasets/catalog-error.ts';
import { eventLine } from '../datasets/event-line.ts';
import { lineText } from '../datasets/line-text.ts';
import { makeVersion } from '../datasets/make-version.ts';
import type { Project } from '../datasets/project.ts';
import { shopSample } from '../samples/shop.ts';
import type { Configuration } from '../server/settings.ts';
import type { EventLine } from '../store/log-line.ts';
import { openStore } from '../store/open-store.ts';
import { say } from './say.ts';

/** What the demo runs with where its user says nothing else. */
export const DEMO_SETTINGS = { data: 'onwhere-demo', port: '8080', allowHttp: true };

const PROJECT = 'demo';
const DATASET = 'shop';

/** A project with a version of sample events. */
interface Demo {
  readonly project: Project;
  readonly versionId: string;
}

/** Makes a live version of sample events, in a project that is made at the first time. */
export async function prepareDemo(configuration: Configuration): Promise<Demo> {
  const { data } = configuration;
  const catalog = new Catalog(data);
  await unlessThere(catalog.createProject(PROJECT, 'UTC'));
  await unlessThere(catalog.createDataset(PROJECT, DATASET));
  const lines = [...shopSample()].map((event) => lineText(eventLine(event) as EventLine));
  const versionId = await makeVersion(
    data,
    { project: PROJECT, datasetId: DATASET },
    await openStore(configuration),
    ({ kind }) => say('warning', kind),
    (version) => version.append('events', lines),
  );
  return { project: await catalog.project(PROJECT), versionId };
}

/** What to try, in lines that can be pasted. */
export function demoLines(url: string, { project, versionId }: Demo): string[] {
  const { secret, token } = project;
  const event = { event: 'purchase', properties: { token, distinct_id: 'me', time: 1_750_000_000, amount: 12.5 } };
  const data = Buffer.from(JSON.stringify(event)).toString('base64url');
  const versions = `${url}datasets/${DATASET}/versions`;
  return [
    '',
    'Try, in another terminal: the versions of the dataset, an event for the one with the samples, a new and empty version:',
    `  curl -u ${secret}: '${versions}?token=${token}'`,
    `  curl -u ${secret}: ${url}import-events -d dataset_id=${DATASET} -d dataset_version=${versionId} -d data=${data}`,
    `  curl -u ${secret}: ${versions} -d token=${token}`,
  ];
}

async function unlessThere(made: Promise<unknown>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
  }
}
