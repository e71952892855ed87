import { createRecentShopEvents, generateShopSample, listShopPeople } from '../data/shop-sample.ts';
import { Catalog } from '../service/datasets/catalog/catalog.ts';
import type { Project } from '../service/datasets/catalog/project.ts';
import { CatalogError } from '../service/datasets/files/errors.ts';
import { stringifyLine, toEventLine, toPersonLine } from '../service/datasets/imports/record-lines.ts';
import { Funnels } from '../service/datasets/saved/funnels.ts';
import { makeVersion } from '../service/datasets/versions/make-version.ts';
import type { Configuration } from '../service/server/settings/settings.ts';
import type { EventLine, PersonLine } from '../service/store/log-line.ts';
import { openStore } from '../service/store/open-store.ts';

/** The default settings of the demo. */
export const DEMO_SETTINGS = { data: 'onwhere-demo', port: '8080', allowHttp: true };

const PROJECT = 'demo';
const DATASET = 'shop';

const FUNNEL = {
  name: 'Buying',
  steps: [
    { event: 'view product' },
    { event: 'add to cart' },
    { event: 'purchase', where: 'properties["amount"] > 10' },
  ],
  length: 7,
  lengthUnit: 'day',
} as const;

/** A project with a version of sample records. */
interface Demo {
  readonly project: Project;
  readonly versionId: string;
}

/**
 * Imports sample events and people as a new live version. Creates the project and its funnel on the first run.
 *
 * @param now The time of the last events, in Unix seconds.
 * @param warn Receives problems that do not stop it.
 */
export async function prepareDemo(
  configuration: Configuration,
  now: number,
  warn: (message: string) => void,
): Promise<Demo> {
  const { data } = configuration;
  const catalog = new Catalog(data);
  await ignoreExisting(catalog.createProject(PROJECT, 'UTC'));
  await ignoreExisting(catalog.createDataset(PROJECT, DATASET));
  const funnels = new Funnels(data);
  if ((await funnels.list(PROJECT)).length === 0) await funnels.create(PROJECT, FUNNEL);
  const events = [...generateShopSample(), ...createRecentShopEvents(now)];
  const versionId = await makeVersion(
    data,
    { project: PROJECT, datasetId: DATASET },
    (files) => openStore(configuration, files),
    ({ kind }) => warn(kind),
    async (version) => {
      await version.append(
        'events',
        events.map((event) => stringifyLine(toEventLine(event) as EventLine)),
      );
      await version.append(
        'people',
        listShopPeople().map((person) => stringifyLine(toPersonLine(person) as PersonLine)),
      );
    },
  );
  return { project: await catalog.project(PROJECT), versionId };
}

/** Returns the lines that the demo prints: the page, the secret and commands to paste. */
export function describeDemo(url: string, { project, versionId }: Demo): string[] {
  // A project without signatures keeps its secret only as a hash.
  const { secret = '<secret>', token } = project;
  const event = { event: 'purchase', properties: { token, distinct_id: 'me', time: 1_750_000_000, amount: 12.5 } };
  const data = Buffer.from(JSON.stringify(event)).toString('base64url');
  const versions = `${url}datasets/${DATASET}/versions`;
  const purchases = '-d event=purchase -d from_date=2025-06-01 -d to_date=2025-06-07 -d \'on=properties["plan"]\'';
  const page = new URLSearchParams({
    secret,
    query: 'segmentation',
    event: 'purchase',
    from_date: '2025-06-01',
    to_date: '2025-06-30',
    on: 'properties["plan"]',
  });
  return [
    '',
    `Open the console, signed in with the secret ${secret}:`,
    `  ${url}#${page}`,
    '',
    'Or try these commands in another terminal.',
    '',
    'Purchases per day, by plan:',
    `  curl -u ${secret}: ${url}api/2.0/segmentation ${purchases}`,
    'The versions of the dataset:',
    `  curl -u ${secret}: '${versions}?token=${token}'`,
    'Import an event into the version with the samples:',
    `  curl -u ${secret}: ${url}import-events -d dataset_id=${DATASET} -d dataset_version=${versionId} -d data=${data}`,
    'Create an empty version:',
    `  curl -u ${secret}: ${versions} -d token=${token}`,
  ];
}

async function ignoreExisting(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
  }
}
