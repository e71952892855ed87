import { createRecentShopEvents, generateShopSample, listShopPeople } from '../data/shop-sample.ts';
import { Catalog } from '../service/datasets/catalog.ts';
import { CatalogError } from '../service/datasets/errors.ts';
import { Funnels } from '../service/datasets/funnels.ts';
import { makeVersion } from '../service/datasets/make-version.ts';
import type { Project } from '../service/datasets/project.ts';
import { stringifyLine, toEventLine, toPersonLine } from '../service/datasets/record-lines.ts';
import type { Configuration } from '../service/server/settings.ts';
import type { EventLine, PersonLine } from '../service/store/log-line.ts';
import { openStore } from '../service/store/open-store.ts';

/** What the demo runs with where its user says nothing else. */
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
 * Makes a live version of sample events and people, in a project that is made at the first time, with a funnel. The
 * last events are of `now`, in Unix seconds; `warn` is told of problems that do not end it.
 */
export async function prepareDemo(
  configuration: Configuration,
  now: number,
  warn: (message: string) => void,
): Promise<Demo> {
  const { data } = configuration;
  const catalog = new Catalog(data);
  await unlessThere(catalog.createProject(PROJECT, 'UTC'));
  await unlessThere(catalog.createDataset(PROJECT, DATASET));
  const funnels = new Funnels(data);
  if ((await funnels.list(PROJECT)).length === 0) await funnels.create(PROJECT, FUNNEL);
  const events = [...generateShopSample(), ...createRecentShopEvents(now)];
  const versionId = await makeVersion(
    data,
    { project: PROJECT, datasetId: DATASET },
    (temporaryFolder) => openStore(configuration, temporaryFolder),
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

/** What to try, in lines that can be pasted. */
export function describeDemo(url: string, { project, versionId }: Demo): string[] {
  // After its signatures were ended, the secret is kept only as a hash.
  const { secret = '<secret>', token } = project;
  const event = { event: 'purchase', properties: { token, distinct_id: 'me', time: 1_750_000_000, amount: 12.5 } };
  const data = Buffer.from(JSON.stringify(event)).toString('base64url');
  const versions = `${url}datasets/${DATASET}/versions`;
  const purchases = '-d event=purchase -d from_date=2025-06-01 -d to_date=2025-06-07 -d \'on=properties["plan"]\'';
  const page = new URLSearchParams({
    query: 'segmentation',
    event: 'purchase',
    from_date: '2025-06-01',
    to_date: '2025-06-30',
    on: 'properties["plan"]',
  });
  return [
    '',
    `Ask on the page, with the secret ${secret}:`,
    `  ${url}#${page}`,
    '',
    'Try, in another terminal: how much was bought on each day of a week, by the plans of customers; the versions of the dataset; an event for the one with the samples; a new and empty version:',
    `  curl -u ${secret}: ${url}api/2.0/segmentation ${purchases}`,
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
