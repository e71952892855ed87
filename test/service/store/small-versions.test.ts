import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PeopleQuery } from '../../../src/service/analytics/people/people-query.ts';
import { EventQuery } from '../../../src/service/analytics/sql/event-query.ts';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import type { RecordKind, StoredVersion } from '../../../src/service/store/store.ts';
import { DamagedVersionError } from '../../../src/service/store/store-error.ts';
import type { StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';
import { eventually } from '../../eventually.ts';
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
  store = await openStore();
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

const copiesFile = () => join(folder, 'copies.duckdb');

const openStore = () => DuckDbStore.open({ temporaryFolder: join(folder, 'temporary'), copiesFile: copiesFile() });

async function reopen(): Promise<void> {
  await store.close();
  store = await openStore();
}

/** Does something in a store that does not know the file of copies. */
async function workElsewhere(work: () => Promise<void>): Promise<void> {
  await store.close();
  store = await DuckDbStore.open({ temporaryFolder: join(folder, 'elsewhere') });
  await work();
  await reopen();
}

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

type Step = { readonly isElsewhere: boolean } & Change;

type Change =
  | { readonly kind: 'events' | 'people'; readonly place: number; readonly value: string }
  | { readonly kind: 'drop'; readonly place: number };

const changes = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('events' as const), place: fc.nat(MANY - 1), value: fc.string() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('people' as const), place: fc.nat(MANY - 1), value: fc.string() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), place: fc.nat(MANY - 1) }) },
);

const isRare = fc.nat(3).map((number) => number === 0);

const steps = fc.array(
  fc.record({ change: changes, isElsewhere: isRare }).map(({ change, isElsewhere }) => ({ ...change, isElsewhere })),
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
        if (step.isElsewhere) await workElsewhere(() => apply(step));
        else
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
    store = await openStore();
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

describe('the file of copies', () => {
  const expected = Array.from({ length: MANY }, (_, place) => `${place} of undefined`);

  beforeEach(async () => {
    for (const place of versions.keys()) await addEvents(place, [place]);
  });

  afterEach(async () => {
    for (const version of versions) await store.drop(version);
  });

  /** Makes the file of a version unreadable, so that a read of it fails. Its size and times are as before. */
  async function spoil({ folder }: StoredVersion): Promise<void> {
    const path = join(folder, 'store.duckdb');
    const { size, mtime } = await stat(path);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(size));
    await file.close();
    await utimes(path, mtime, mtime);
  }

  /** Gives the files of all versions times in whole seconds, which can be set again. */
  async function roundTimes(): Promise<void> {
    await store.close();
    for (const { folder } of versions) await utimes(join(folder, 'store.duckdb'), 1_700_000_000, 1_700_000_000);
    store = await openStore();
  }

  it('spares the next start opening the file of each version', async () => {
    await roundTimes();
    await store.read(versions, readAll);
    await store.close();
    for (const version of versions) await spoil(version);
    store = await openStore();
    expect((await store.read(versions, readAll)).events).toEqual(expected);
    // The damage is found by whoever reads the file.
    await expect(store.readFlushed(at(2))).rejects.toThrow(DamagedVersionError);
  });

  it('has copies before the store is closed', async () => {
    await store.read(versions, readAll);
    await eventually(async () => expect(existsSync(copiesFile())).toBe(true));
  });

  it('is not used for a version whose flushed records are not in its file yet', async () => {
    await store.read(versions, readAll);
    await reopen();
    const reading = store.events(at(2))[Symbol.asyncIterator]();
    await reading.next();
    // A value of another type adds a column, which cannot be moved into the file while it is read.
    const flushing = addEvents(2, ['later']);
    await pause(500);
    await store.read(versions, readAll);
    await reading.return?.(undefined);
    await flushing;
    expect((await store.read(versions, readAll)).events).toContain('later of undefined');
  });

  it('is not used for a version whose file is lost', async () => {
    await store.read(versions, readAll);
    const flushed = await store.readFlushed(at(2));
    await store.close();
    await rm(join(at(2).folder, 'store.duckdb'));
    store = await openStore();
    const noted = versions.map((version, place) => (place === 2 ? { ...version, flushed } : version));
    await expect(store.read(noted, readAll)).rejects.toMatchObject({ versionId: at(2).id });
  });

  it('is not used for a version of which other records were flushed, or in another folder', async () => {
    await roundTimes();
    await store.read(versions, readAll);
    const { events, people } = await store.readFlushed(at(2));
    await store.close();
    for (const version of versions) await spoil(version);
    store = await openStore();
    const flushed = { events: { ...events, lastFile: 'other' }, people };
    const changed = versions.map((version, place) => (place === 2 ? { ...version, flushed } : version));
    await expect(store.read(changed, readAll)).rejects.toMatchObject({ versionId: at(2).id });
    const moved = versions.map((version, place) => (place === 4 ? { ...version, folder: `${folder}/moved` } : version));
    await store.drop(at(2));
    expect((await store.read(moved, readAll)).events).toEqual(
      expected.filter((_, place) => place !== 2 && place !== 4),
    );
  });

  it.each([
    ['nothing', () => Buffer.alloc(0)],
    ['no database', () => Buffer.alloc(100_000, 'x')],
    [
      'damaged blocks',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 12_288), Buffer.alloc(bytes.length - 12_288)]),
    ],
  ])('is replaced if it has %s', async (_, damage) => {
    await store.read(versions, readAll);
    await store.close();
    await writeFile(copiesFile(), damage(await readFile(copiesFile())));
    store = await openStore();
    expect((await store.read(versions, readAll)).events).toEqual(expected);
    await reopen();
    expect((await store.read(versions, readAll)).events).toEqual(expected);
    await store.close();
    store = await openStore();
    expect(await countCopied()).toBe(0);
  });

  it('does not keep records of a version that was dropped', async () => {
    await store.read(versions, readAll);
    await reopen();
    await store.drop(at(2));
    expect(existsSync(copiesFile())).toBe(false);
  });

  it('is not needed', async () => {
    await store.close();
    store = await DuckDbStore.open({
      temporaryFolder: join(folder, 'temporary'),
      copiesFile: join(folder, 'missing', 'copies.duckdb'),
    });
    expect((await store.read(versions, readAll)).events).toEqual(expected);
    await reopen();
  });
});
