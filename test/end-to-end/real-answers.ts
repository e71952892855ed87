import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_REAL_DATA, type KnownAnswer, realLines } from '../real-data.ts';
import { Client } from './client.ts';
import { TestFolder } from './server-process.ts';

interface RealEvent {
  readonly event: string;
  readonly properties: { readonly time: number };
}

interface RealPerson {
  readonly $distinct_id: string;
  readonly $properties: object;
}

interface Served {
  readonly address: string;
  readonly stop: () => Promise<unknown>;
}

interface People {
  readonly page: number;
  readonly page_size: number;
  readonly total: number;
  readonly session_id: string;
  readonly results: readonly RealPerson[];
}

const EVENTS = ['online-retail', 'osd-ecommerce', 'osd-flights', 'osd-logs'];
const PEOPLE = 'congress';
const BATCH = 1000;
/** More days than any file covers. */
const ALL_DAYS = '90';
const DAY = 86_400;

/**
 * Defines tests that import real data over HTTP and compare the results of queries with the known ones.
 *
 * @param files The files of events, for another set-up of a database that takes all of them.
 */
export function describeRealAnswers(
  name: string,
  serve: (folder: TestFolder) => Promise<Served>,
  files: readonly string[] = EVENTS,
): void {
  describe.skipIf(!HAS_REAL_DATA)(name, () => {
    const all = realLines<KnownAnswer>('expected.ndjson');
    const cases = all.filter(({ dataset }) => dataset === PEOPLE || files.includes(dataset));
    const events = new Map(files.map((file) => [file, realLines<RealEvent>(`${file}.ndjson.gz`)]));
    const people = realLines<RealPerson>(`${PEOPLE}.ndjson.gz`);
    const versions = new Map<string, string>();
    let folder: TestFolder;
    let server: Served;

    const client = (file: string) => new Client(folder, server, datasetOf(file));

    const importFile = async (file: string, kind: 'events' | 'people', records: readonly object[]) => {
      const importer = client(file);
      const { version_id: version } = await importer.create();
      for (let first = 0; first < records.length; first += BATCH) {
        expect(await importer.import(kind, version, records.slice(first, first + BATCH))).toBe(true);
      }
      await importer.setState(version, { readable: true, writable: true });
      await importer.untilReady(version);
      versions.set(file, version);
    };

    beforeAll(async () => {
      folder = TestFolder.make();
      for (const file of [...files, PEOPLE]) folder.createDataset(datasetOf(file));
      server = await serve(folder);
      const { token } = folder;
      for (const [file, records] of events) {
        const withToken = records.map(({ event, properties }) => ({ event, properties: { ...properties, token } }));
        await importFile(file, 'events', withToken);
      }
      await importFile(
        PEOPLE,
        'people',
        people.map((person) => update(person, token)),
      );
    });

    afterAll(async () => {
      await server?.stop();
      folder?.remove();
    });

    const query = async <Result>(file: string, path: string, parameters: Record<string, string>): Promise<Result> => {
      const response = await client(file).request('GET', `/api/2.0/${path}`, {
        dataset_id: datasetOf(file),
        ...parameters,
      });
      const result = await response.json();
      expect(result).not.toHaveProperty('error');
      return result as Result;
    };

    const datesOf = (file: string) => {
      const times = (events.get(file) ?? []).map(({ properties }) => properties.time);
      const [first, last] = times.reduce(
        ([min, max], time) => [Math.min(min, time), Math.max(max, time)],
        [Infinity, 0],
      );
      return { from_date: dayOf(first), to_date: dayOf(Math.max(last, first + DAY)) };
    };

    /** Returns the total of each segment over all days, for one event name or all. */
    const readSegments = async ({ dataset, event }: KnownAnswer, parameters: Record<string, string>) => {
      const names = event === null ? new Set(events.get(dataset)?.map((record) => record.event)) : [event];
      const sums = new Map<string, number>();
      for (const name of names) {
        const { data } = await query<{ data: { values: Record<string, Record<string, number>> } }>(
          dataset,
          'segmentation/',
          {
            event: name,
            ...datesOf(dataset),
            ...parameters,
          },
        );
        for (const [segment, values] of Object.entries(data.values)) {
          const sum = Object.values(values).reduce((total, value) => total + value, 0);
          sums.set(segment, sum + (sums.get(segment) ?? 0));
        }
      }
      return sums;
    };

    const total = (sums: ReadonlyMap<string, number>) => [...sums.values()].reduce((sum, value) => sum + value, 0);

    /** Returns the number of users with a matching event on any day. */
    const countUsers = async ({ dataset, event }: KnownAnswer, where: string) => {
      const cohorts = await query<Record<string, { first: number }>>(dataset, 'retention/', {
        retention_type: 'compounded',
        ...(event !== null && { event }),
        ...datesOf(dataset),
        interval: ALL_DAYS,
        where,
      });
      return Object.values(cohorts).map(({ first }) => first);
    };

    it.each(cases.filter(({ dataset, kind }) => dataset !== PEOPLE && kind === 'where'))(
      'counts $dataset where $expr',
      async (known) => {
        expect(total(await readSegments(known, { where: known.expr }))).toBe(known.expected);
        expect(await countUsers(known, known.expr)).toEqual([known.expected_unique]);
      },
    );

    it.each(cases.filter(({ kind }) => kind === 'on'))('segments $dataset on $expr', async (known) => {
      const where = known.where === undefined ? {} : { where: known.where };
      const counts = await readSegments(known, { on: known.expr, limit: '10000', ...where });
      const named = [...counts].filter(([segment]) => known.undefined === 0 || segment !== 'undefined');
      const expected = (known.expected as [unknown, number][]).map(([value, count]) => [String(value), count]);
      const top = named.toSorted(([, left], [, right]) => right - left).slice(0, expected.length);
      expect(top).toEqual(expected);
      expect(counts.get('undefined') ?? 0).toBe(known.undefined);
      if (known.event === null) return;
      const unique = await readSegments(known, {
        on: known.expr,
        limit: '10000',
        type: 'unique',
        interval: ALL_DAYS,
        ...where,
      });
      for (const [value, count] of known.expected_unique as [unknown, number][]) {
        expect([value, unique.get(String(value))]).toEqual([value, count]);
      }
    });

    it.each(cases.filter(({ dataset }) => dataset === PEOPLE))(
      'finds people where $expr',
      async ({ expr, expected }) => {
        expect(await query(PEOPLE, 'engage/', { where: expr })).toMatchObject({ total: expected });
      },
    );

    it('returns all people in 13 pages to two readers at once, while others are imported', async () => {
      const readAll = async () => {
        const first = await query<People>(PEOPLE, 'engage/', {});
        const pages = [first];
        while ((pages.at(-1)?.results.length ?? 0) === first.page_size) {
          const page = { session_id: first.session_id, page: String(pages.length) };
          pages.push(await query<People>(PEOPLE, 'engage/', page));
        }
        return pages;
      };
      let reading = true;
      const importing = (async () => {
        for (let number = 0; reading; number++) {
          const added = { $token: folder.token, $distinct_id: `0 new ${number}`, $set: { number } };
          expect(await client(PEOPLE).import('people', versions.get(PEOPLE) ?? '', [added])).toBe(true);
        }
      })();
      const readers = await Promise.all([readAll(), readAll()]).finally(() => {
        reading = false;
      });
      await importing;
      const ids = people.map(({ $distinct_id }) => $distinct_id).sort();
      for (const pages of readers) {
        expect(pages).toHaveLength(13);
        const results = pages
          .flatMap((page) => page.results)
          .filter(({ $distinct_id }) => !$distinct_id.startsWith('0 new'));
        expect(results.map(({ $distinct_id }) => $distinct_id)).toEqual(ids);
        const all = pages.flatMap((page) => page.results);
        expect(pages.map(({ total }) => total)).toEqual(pages.map(() => all.length));
        const sent = new Map(people.map(({ $distinct_id, $properties }) => [$distinct_id, $properties]));
        for (const { $distinct_id, $properties } of results) expect($properties).toEqual(sent.get($distinct_id));
      }
    });
  });
}

function datasetOf(file: string): string {
  return file.replaceAll('-', '');
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function update({ $distinct_id, $properties }: RealPerson, token: string): object {
  return { $token: token, $distinct_id, $set: $properties };
}
