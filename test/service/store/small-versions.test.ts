import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PeopleQuery } from '../../../src/service/analytics/people/people-query.ts';
import { EventQuery } from '../../../src/service/analytics/sql/event-query.ts';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import type { RecordKind, StoredVersion } from '../../../src/service/store/store.ts';
import { DamagedVersionError } from '../../../src/service/store/store-error.ts';
import type { StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';
import { drawSample } from '../../runs.ts';
import { eventLine, writeLogFile } from './log-files.ts';

/** A read of so many versions copies the small ones. */
const MANY = 10;

/** More records than a small version has. */
const LARGE = 5_001;

const MOMENT = { now: 0, timeZone: 'UTC' };

let folder: string;
let store: DuckDbStore;
let versions: StoredVersion[];
let named = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-small-'));
  store = await DuckDbStore.open({ temporaryFolder: join(folder, 'temporary') });
});

beforeEach(() => {
  versions = Array.from({ length: MANY }, () => {
    const id = `s${++named}`;
    return { id, folder: join(folder, id) };
  });
});

afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (place: number) => versions[place] as StoredVersion;

async function flush(place: number, kind: RecordKind, lines: Parameters<typeof writeLogFile>[2][number]) {
  const file = await writeLogFile(join(folder, 'logs'), String(++named).padStart(8, '0'), [lines]);
  await store.flush(at(place), kind, [file]);
}

const addEvents = (place: number, values: readonly unknown[]) =>
  flush(
    place,
    'events',
    values.map((value, index) => eventLine('a', { distinct_id: 'u', time: index + 1, value: value as string })),
  );

const setPerson = (place: number, value: unknown) =>
  flush(place, 'people', [{ $distinct_id: 'u', $set: { value: value as string } }]);

/** Reads the values of all events, each with that of its person, and the values of the people in their order. */
async function readAll(snapshot: StoreSnapshot) {
  const query = new EventQuery(
    { snapshot, ...MOMENT },
    {},
    {
      value: { use: 'on', expression: 'properties["value"]' },
      person: { use: 'on', expression: 'user["value"]' },
    },
  );
  const events = await query.rows('SELECT value, person FROM selected');
  const people = await new PeopleQuery(snapshot, {}, MOMENT).first(1_000);
  return {
    events: events.map(({ value, person }) => `${value} of ${person}`).sort(),
    people: people.map(({ properties }) => JSON.parse(properties).value),
  };
}

/** Counts the rows of copies in memory. */
async function countCopied(): Promise<number> {
  const count = 'SELECT count(*) AS records FROM memory.main.copied_events';
  return store.read([], async ({ rows }) => Number((await rows(count, []))[0]?.records));
}

type Step =
  | { readonly kind: 'events' | 'people'; readonly place: number; readonly value: string }
  | { readonly kind: 'drop'; readonly place: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('events' as const), place: fc.nat(MANY - 1), value: fc.string() }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('people' as const), place: fc.nat(MANY - 1), value: fc.string() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), place: fc.nat(MANY - 1) }) },
  ),
  { minLength: 8, maxLength: 16 },
);

describe('a read of many versions', () => {
  it('sees what was flushed before it, in the order of the versions, whatever happens meanwhile', async () => {
    const before = await countCopied();
    for (const [round, some] of drawSample(steps, 6).entries()) {
      versions = versions.map(({ id, folder }) => ({ id: `${id}r${round}`, folder: `${folder}r${round}` }));
      const model = versions.map(() => ({ events: [] as string[], person: undefined as string | undefined }));
      const expected = () => ({
        events: model.flatMap(({ events, person }) => events.map((event) => `${event} of ${person}`)).sort(),
        people: model.flatMap(({ person }) => person ?? []),
      });
      const apply = async (step: Step) => {
        const known = model[step.place] as (typeof model)[number];
        if (step.kind === 'drop') await store.drop(at(step.place));
        else if (step.kind === 'events') await addEvents(step.place, [step.value]);
        else await setPerson(step.place, step.value);
        if (step.kind === 'drop') model[step.place] = { events: [], person: undefined };
        else if (step.kind === 'events') known.events.push(step.value);
        else known.person = step.value;
      };
      for (const step of some as Step[]) {
        const seen = expected();
        await store.read(versions, async (snapshot) => {
          await apply(step);
          expect(await readAll(snapshot)).toEqual(seen);
        });
        expect(await store.read(versions, readAll)).toEqual(expected());
      }
      for (const version of versions) await store.drop(version);
    }
    expect(await countCopied()).toBe(before);
  });

  it.each([
    ['records', () => Array.from({ length: LARGE }, () => 'large')],
    ['characters', () => Array.from({ length: 3 }, () => 'large'.repeat(200_000))],
  ])('reads the files of versions with many %s', async (_, createValues) => {
    const before = await countCopied();
    const values = createValues();
    await addEvents(3, values);
    for (const place of [1, 3, 6]) await setPerson(place, place);
    await addEvents(5, ['small']);
    const { events, people } = await store.read(versions, readAll);
    expect(events).toEqual([...values.map((value) => `${value} of 3`), 'small of undefined'].sort());
    expect(people).toEqual([1, 3, 6]);
    expect(await countCopied()).toBe(before + 1);
    for (const version of versions) await store.drop(version);
  });

  it('reads the file of a version that has grown', async () => {
    await addEvents(0, ['first']);
    await store.read(versions, readAll);
    await addEvents(
      0,
      Array.from({ length: LARGE }, () => 'later'),
    );
    const { events } = await store.read(versions, readAll);
    expect(events).toHaveLength(LARGE + 1);
    for (const version of versions) await store.drop(version);
  });

  it('names the version whose file is damaged, and reads the others again', async () => {
    for (const place of versions.keys()) await addEvents(place, [place]);
    await store.close();
    await truncate(join(at(4).folder, 'store.duckdb'), 20_000);
    store = await DuckDbStore.open({ temporaryFolder: join(folder, 'temporary') });
    const error = await store.read(versions, readAll).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(DamagedVersionError);
    expect(error.versionId).toBe(at(4).id);
    await store.drop(at(4));
    expect((await store.read(versions, readAll)).events).toHaveLength(MANY - 1);
  });

  it('refuses copies that lack flushed records', async () => {
    for (const place of versions.keys()) await addEvents(place, [place]);
    await store.read(versions, readAll);
    const { events, people } = await store.readFlushed(at(7));
    const flushed = { events: { ...events, records: 2 }, people };
    const lost = versions.map((version, place) => (place === 7 ? { ...version, flushed } : version));
    await expect(store.read(lost, readAll)).rejects.toMatchObject({ versionId: at(7).id });
    expect((await store.read(versions, readAll)).events).toHaveLength(MANY);
  });
});
