import fc from 'fast-check';
import { print } from '../../../src/lang/syntax/print.ts';
import { type Funnel, LENGTH_UNITS } from '../../../src/queries/funnel-content.ts';
import { Catalog } from '../../../src/service/datasets/catalog/catalog.ts';
import type { Project } from '../../../src/service/datasets/catalog/project.ts';
import { Funnels } from '../../../src/service/datasets/saved/funnels.ts';
import type { RecordKind, StoredEvent, StoredPerson } from '../../../src/service/store/store.ts';
import { Client } from '../../end-to-end/client.ts';
import {
  FILTERS,
  NUMBERS,
  PLACES,
  PROFILES,
  requests,
  SEGMENTS,
  versionsAbout,
} from '../../service/analytics/arbitraries.ts';
import type { ReferenceVersion } from '../../service/analytics/reference/occurrence.ts';
import { drawCase } from '../../value-first.ts';
import { DAY, toImported } from '../server-check.ts';
import { createKeys, type ProjectKeys } from './credentials.ts';

/** A project for requests, with all its data. */
export interface Target {
  readonly project: Project;
  readonly keys: ProjectKeys;
  /** The day that most events are close to. */
  readonly day: string;
  readonly datasetIds: readonly string[];
  /** The datasets that are not empty by ID, each with one version. */
  readonly datasets: ReadonlyMap<string, ReferenceVersion>;
  /** The IDs of the imported versions by dataset. */
  readonly versions: Map<string, string>;
  readonly funnels: readonly Funnel[];
  /** Expressions that read properties of the events. */
  readonly expressions: readonly string[];
}

/** The number of random versions whose records are merged into each dataset. */
const DRAWN_VERSIONS = 6;

const CASES = 12;
const RECORDS = 30;
const FUNNELS = 4;
const BATCH = 500;
const DATASETS = ['first', 'second'];

/** More than two pages of people. */
const CROWD = 2_300;

/**
 * Creates projects in a data folder:
 *
 * - one for each of some time zones with unusual days, and one with events of today,
 * - `values`, with values that engines tend to get wrong,
 * - `crowd`, with several pages of people,
 * - `scratch`, which requests may change.
 *
 * The same seed gives the same data, except for today's.
 */
export async function createTargets(folder: string, seed: number, places: number): Promise<Target[]> {
  const drawnPlaces = Array.from({ length: places }, (_, index) => PLACES[(seed + index * 5) % PLACES.length]);
  const today = new Date().toISOString().slice(0, 10);
  const targets: Target[] = [];
  for (const [index, place] of [...drawnPlaces, ['UTC', today] as const].entries()) {
    const [timeZone, day] = place as (typeof PLACES)[number];
    const expressions = fc.sample(fc.oneof(FILTERS, SEGMENTS, NUMBERS), { seed, numRuns: 60 });
    const datasets = DATASETS.map((_, number) => drawVersion(timeZone, day, seed + index * 100 + number));
    const holding = { timeZone, day, datasetIds: DATASETS, datasets, expressions };
    targets.push(await createTarget(folder, `place${index}`, holding, seed));
  }
  const { version, expressions } = drawValues(seed);
  const values = { timeZone: 'UTC', day: DAY, datasetIds: DATASETS, datasets: [version], expressions };
  targets.push(await createTarget(folder, 'values', values, seed));
  const crowd = { ...values, datasetIds: ['first'], datasets: [drawCrowd(seed)], expressions: CROWD_FILTERS };
  targets.push(await createTarget(folder, 'crowd', crowd, seed));
  targets.push(await createTarget(folder, 'scratch', { ...values, datasets: [] }, seed));
  return targets;
}

/** Imports the data of the projects, and waits until queries can read it. */
export async function importTargets(targets: readonly Target[], address: string): Promise<void> {
  for (const { project, keys, datasets, versions } of targets) {
    for (const [datasetId, { events, people }] of datasets) {
      const folder = { token: project.token, secret: keys.secrets.get('secret') as string };
      const client = new Client(folder, { address }, datasetId);
      const { version_id: version } = await client.create();
      const records: readonly (readonly [RecordKind, readonly object[]])[] = [
        ['events', events.map((event) => eventToImport(event, project.token))],
        ['people', people.map((person) => client.person(person.distinctId, { $set: person.properties }))],
      ];
      for (const [kind, all] of records) {
        for (let start = 0; start < all.length; start += BATCH) {
          const { error } = await client.importVerbosely(kind, version, all.slice(start, start + BATCH));
          if (error !== null) throw new Error(`An import into ${project.name} failed: ${error}`);
        }
      }
      await client.setState(version, { readable: true, writable: true });
      await client.untilReady(version);
      versions.set(datasetId, version);
    }
  }
}

interface Holding extends Pick<Target, 'day' | 'expressions' | 'datasetIds'> {
  readonly timeZone: string;
  readonly datasets: readonly ReferenceVersion[];
}

async function createTarget(folder: string, name: string, holding: Holding, seed: number): Promise<Target> {
  const { timeZone, day, datasetIds, datasets, expressions } = holding;
  const catalog = new Catalog(folder);
  const { secret, ...project } = await catalog.createProject(name, timeZone);
  const datasetSecrets: Record<string, string> = {};
  for (const datasetId of datasetIds) datasetSecrets[datasetId] = (await catalog.createDataset(name, datasetId)).secret;
  const keys = await createKeys(
    catalog,
    project,
    { secret, datasetSecret: datasetSecrets.first as string },
    expressions,
  );
  const drawn = requests.funnel({ timeZone, day, versions: [], now: 0 });
  const funnels: Funnel[] = [];
  const saved = new Funnels(folder);
  for (const [index, { steps, length }] of fc.sample(drawn, { seed, numRuns: FUNNELS * 3 }).entries()) {
    const unit = (['second', 'minute', 'hour', 'day'] as const)[index % 4] ?? 'day';
    const units = Math.max(1, Math.floor(length / LENGTH_UNITS[unit]));
    const content = { name: `funnel ${index}`, steps, length: units, lengthUnit: unit };
    // Some filters are not allowed in funnels.
    const funnel = await saved.create(name, content).catch(() => undefined);
    if (funnel !== undefined) funnels.push(funnel);
    if (funnels.length === FUNNELS) break;
  }
  const named = datasets.map((version, index) => [datasetIds[index] as string, version] as const);
  return { project, keys, day, datasetIds, datasets: new Map(named), versions: new Map(), funnels, expressions };
}

function drawVersion(timeZone: string, day: string, seed: number): ReferenceVersion {
  const drawn = fc.sample(versionsAbout(timeZone, day), { seed, numRuns: DRAWN_VERSIONS });
  const people = new Map(drawn.flatMap((version) => version.people).map((person) => [person.distinctId, person]));
  return { events: drawn.flatMap(({ events }) => events), people: [...people.values()] };
}

/** Filters that select few people, some pages of people, and one person. */
const CROWD_FILTERS = [
  'user["age"] > 20',
  'user["plan"] == "pro"',
  'user["age"] <= 1 or user["plan"] == "free"',
  '"p" in user["tags"]',
  'properties["age"] >= 0 and properties["age"] < now',
  'properties["name"] == "user 7"',
  'not defined(user["plan"])',
  'user["age"] < user["plan"]',
];

function drawCrowd(seed: number): ReferenceVersion {
  const profiles = fc.sample(PROFILES, { seed, numRuns: CROWD });
  const people = profiles.map((profile, index): StoredPerson => {
    return { distinctId: `user ${index}`, properties: { name: `user ${index}`, ...profile } };
  });
  return { events: [], people };
}

/** Generates expressions, with events and people around their values. */
function drawValues(seed: number): { readonly version: ReferenceVersion; readonly expressions: readonly string[] } {
  const cases = Array.from({ length: CASES }, (_, index) => drawCase(seed * CASES + index, RECORDS));
  const records = cases.flatMap((one) => one.records).map(toImported);
  const events = records.map(({ properties }, index): StoredEvent => ({ event: 'aab'.charAt(index % 3), properties }));
  const people = records.flatMap(({ properties, user }): StoredPerson[] =>
    user === undefined ? [] : [{ distinctId: properties.distinct_id as string, properties: user }],
  );
  return { version: { events, people }, expressions: cases.map(({ tree }) => print(tree)) };
}

function eventToImport({ event, properties }: StoredEvent, token: string): object {
  return { event, properties: { token, ...properties } };
}
