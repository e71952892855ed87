import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareStrings, type Properties } from '../../../src/lang/value.ts';
import type { LogFile } from '../../../src/service/storage/log-files.ts';
import type { PersonLine } from '../../../src/service/store/log-line.ts';
import {
  type Flushed,
  NOTHING_FLUSHED,
  type RecordKind,
  type Store,
  type StoredEvent,
  type StoredVersion,
} from '../../../src/service/store/store.ts';
import { DamagedVersionError, StoreError } from '../../../src/service/store/store-error.ts';
import type { StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';
import { countOf } from './count-of.ts';
import { eventLine, writeLogFile } from './log-files.ts';
import {
  all,
  assignTimes,
  eventAt,
  foldUpdates,
  manyProperties,
  nested,
  rest,
  START,
  storedEvents,
  timeOf,
  toJson,
  updates,
} from './store-records.ts';

/** Tests a store. Opens it once in its own folder; each test has its own versions. Random tests have `numRuns` runs. */
export function describeStore(name: string, open: (folder: string) => Promise<Store>, numRuns = 12): void {
  describe(name, () => {
    let folder: string;
    let store: Store;
    let versions = 0;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'onwhere-store-'));
      store = await open(join(folder, 'own'));
    });

    afterAll(async () => {
      await store?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const newVersion = (): StoredVersion => {
      const id = `v${++versions}`;
      return { id, folder: join(folder, id, 'store') };
    };

    const file = (version: StoredVersion, kind: RecordKind, name: number, lines: Parameters<typeof writeLogFile>[2]) =>
      writeLogFile(join(folder, version.id, kind), String(name).padStart(8, '0'), lines);

    const logFileOf = (version: StoredVersion, name: number, ...events: readonly StoredEvent[]): Promise<LogFile> =>
      file(version, 'events', name, [events.map(({ event, properties }) => eventLine(event, properties))]);

    const flushEvents = async (version: StoredVersion, name: number, ...events: readonly StoredEvent[]) =>
      store.flush(version, 'events', [await logFileOf(version, name, ...events)]);

    const flushPeople = async (version: StoredVersion, name: number, ...lines: readonly PersonLine[]) =>
      store.flush(version, 'people', [await file(version, 'people', name, [lines])]);

    /** Checks that a version has exactly these events. Their times must differ. */
    const expectEvents = async (version: StoredVersion, events: readonly StoredEvent[]) => {
      const sorted = events.toSorted((left, right) => timeOf(left) - timeOf(right));
      expect(toJson(await all(store.events(version)))).toEqual(toJson(sorted));
      expect(await countOf(store, version, 'events')).toBe(events.length);
    };

    describe('a flushed version', () => {
      const createFlushed = (records: number, lastFile: string): Flushed => {
        return { events: { records, lastFile }, people: NOTHING_FLUSHED.people };
      };

      it('reports its number of records and its last file', async () => {
        const version = newVersion();
        expect(await store.readFlushed(version)).toEqual(NOTHING_FLUSHED);
        await flushEvents(version, 1, eventAt(1), eventAt(2));
        await flushEvents(version, 3, eventAt(3));
        await flushPeople(version, 2, { $distinct_id: 'a', $set: {} });
        const files = { events: { records: 3, lastFile: '00000003' }, people: { records: 1, lastFile: '00000002' } };
        expect(await store.readFlushed(version)).toEqual(files);
        await store.verify({ ...version, flushed: files });
      });

      it('throws DamagedVersionError in every method if records are missing', async () => {
        const version = newVersion();
        const file = await logFileOf(version, 9, eventAt(9));
        const damaged = { ...version, flushed: createFlushed(1_500, '00000001') };
        const uses = [
          () => store.read([damaged], async () => 1),
          () => store.flush(damaged, 'events', [file]),
          () => store.verify(damaged),
        ];
        for (const use of uses) {
          await expect(use()).rejects.toMatchObject({
            versionId: version.id,
            damage: 'the store has 0 of 1,500 events',
            constructor: DamagedVersionError,
          });
        }
        expect(await store.readFlushed(version)).toEqual(NOTHING_FLUSHED);
      });

      it('may have more records than were recorded, before a flush is repeated', async () => {
        const version = newVersion();
        await flushEvents(version, 2, eventAt(1), eventAt(2));
        const noted = { ...version, flushed: createFlushed(1, '00000001') };
        await store.read([noted], async ({ versions }) => expect(versions).toHaveLength(1));
      });
    });

    describe('an unknown version', () => {
      it('has no records', async () => {
        const version = newVersion();
        expect(await countOf(store, version, 'events')).toBe(0);
        expect(await countOf(store, version, 'people')).toBe(0);
        expect(await all(store.events(version))).toEqual([]);
        expect(await all(store.people(version))).toEqual([]);
      });

      it('can be dropped', async () => {
        await expect(store.drop(newVersion())).resolves.toBeUndefined();
      });
    });

    describe('a snapshot', () => {
      const counted = (snapshot: StoreSnapshot) => {
        const counts = snapshot.versions.map(({ events, people }) => {
          const [inEvents, inPeople] = [events, people].map(({ table }) =>
            [table].flat().map(snapshot.dialect.quoteName).join('.'),
          );
          return `SELECT (SELECT count(*) FROM ${inEvents}) AS events, (SELECT count(*) FROM ${inPeople}) AS people`;
        });
        return snapshot.rows(counts.join(' UNION ALL '), []);
      };

      it('contains the versions with flushed records', async () => {
        const [first, second] = [newVersion(), newVersion()];
        await flushEvents(first, 1, { event: 'a', properties: { distinct_id: 'u', time: START } });
        await flushPeople(second, 1, { $distinct_id: 'u', $set: { a: 1 } }, { $distinct_id: 'v', $set: { a: 1 } });
        const rows = await store.read([first, newVersion(), second], counted);
        expect(rows).toHaveLength(2);
        expect(rows).toEqual(
          expect.arrayContaining([
            { events: 1, people: 0 },
            { events: 0, people: 2 },
          ]),
        );
      });

      it('binds parameters and returns JSON values', async () => {
        const answer = await store.read([], (snapshot) => {
          const [text, number] = [snapshot.dialect.placeholder(1, '\ufeff"'), snapshot.dialect.placeholder(2, 0.1)];
          return snapshot.rows(`SELECT ${text} AS text, ${number} AS number, NULL AS nothing`, ['\ufeff"', 0.1]);
        });
        expect(answer).toEqual([{ text: '\ufeff"', number: 0.1, nothing: null }]);
      });

      it('throws the reason of an aborted signal', async () => {
        const controller = new AbortController();
        const reason = new Error('the caller has gone');
        const result = store.read(
          [],
          async ({ rows }) => {
            controller.abort(reason);
            return rows('SELECT 1 AS one', []);
          },
          { signal: controller.signal },
        );
        await expect(result).rejects.toBe(reason);
      });
    });

    it('accepts flushes without records', async () => {
      const version = newVersion();
      await store.flush(version, 'events', []);
      await flushEvents(version, 1);
      await flushPeople(version, 1);
      expect(await countOf(store, version, 'events')).toBe(0);
      expect(await countOf(store, version, 'people')).toBe(0);
      const event = eventAt(1);
      await flushEvents(version, 2, event);
      await expectEvents(version, [event]);
    });

    describe('events', () => {
      it('are returned unchanged, whatever they contain', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(fc.array(storedEvents, { maxLength: 8 }), { maxLength: 3 }), async (flushed) => {
            const version = newVersion();
            const events = assignTimes(flushed);
            for (const [index, part] of events.entries()) await flushEvents(version, index + 1, ...part);
            await expectEvents(version, events.flat());
            await store.drop(version);
          }),
          { numRuns },
        );
      });

      it.each<[string, Properties]>([
        [
          'numbers at the edges',
          { zero: 0, tiny: 5e-324, great: Number.MAX_VALUE, low: -Number.MAX_VALUE, third: 1 / 3 },
        ],
        [
          'whole numbers that are wide',
          { a: 2 ** 53 - 1, b: 2 ** 53, c: 2 ** 63, d: -(2 ** 63), e: 2 ** 64, f: 1e20, g: 1e21 },
        ],
        [
          'names that mean something elsewhere',
          JSON.parse('{"__proto__":1,"constructor":2,"":3,"a.b":4,"a/b~c":5,"a":{"b":6},"$.a":7,"*":8,"a[0]":9}'),
        ],
        ['names that differ in case or blanks', { a: 1, A: 'x', 'a ': true, ' a': null, á: 2, 'a\u0301': 3 }],
        [
          'names with any character',
          { "'": 1, '"': 2, '\\': 3, '\n': 4, '\u0000': 5, '\ufeff': 6, '\u{1f600}': 7, 'a\u0000b': 8, 'a\u0000c': 9 },
        ],
        [
          'texts with any character',
          { a: '\u0000', b: '\ufeffa', c: '\u{10ffff}', d: '\u2028', e: '"\\\'', f: '\r\n', g: '', h: '\ud7ff\ue000' },
        ],
        [
          'texts that look like others',
          { a: 'null', b: '1', c: 'true', d: '[]', e: '{}', f: '2025-01-01', g: 'NaN', h: '1e400' },
        ],
        [
          'lists and objects',
          { a: [], b: {}, c: [[]], d: [{}], e: [null], f: [1, 'a', true, null, { b: [1.5] }], g: { h: { i: [] } } },
        ],
        ['null beside others', { a: null, b: [null, null], c: { d: null } }],
        ['what is deep', { a: nested(60) }],
        ['a long text', { a: 'é'.repeat(400_000) }],
        ['an id that is a number', { distinct_id: 12.5 }],
        ['10,000 properties', manyProperties('p', 10_000)],
      ])('keep %s', async (_, properties) => {
        const version = newVersion();
        const [first, second] = [eventAt(1, properties), eventAt(2, properties)];
        await flushEvents(version, 1, first);
        await flushEvents(version, 2, second);
        await expectEvents(version, [first, second]);
      });

      it('keep their names and distinct IDs', async () => {
        const version = newVersion();
        const names = ['a', 'A', ' ', '\u0000', '\ufeffa', '"', "'", '\u{1f600}', 'null', '[]', 'a\u0000b'];
        const events = names.map((name, index) => ({ ...eventAt(index, { distinct_id: name }), event: name }));
        await flushEvents(version, 1, ...events);
        await expectEvents(version, events);
      });

      it('may each have other properties', async () => {
        const version = newVersion();
        const events = Array.from({ length: 2_000 }, (_, index) => eventAt(index, manyProperties(`p${index}_`, 10)));
        await flushEvents(version, 1, ...events.slice(0, 1_500));
        await flushEvents(version, 2, ...events.slice(1_500));
        await expectEvents(version, events);
      });

      it('may have new types and properties in later flushes', async () => {
        const version = newVersion();
        const values = [1, 'a', true, null, [1], { b: 1 }, undefined, 2.5];
        const events = values.map((a, index) => eventAt(index, JSON.parse(JSON.stringify({ a, [`p${index}`]: a }))));
        for (const [index, event] of events.entries()) await flushEvents(version, index + 1, event);
        await expectEvents(version, events);
      });

      it('are sorted by time, whatever the order of flushes', async () => {
        const version = newVersion();
        const shuffled = [5, 3, 9, 1, 7, 2, 8, 0, 6, 4].map((at) => eventAt(at));
        await flushEvents(version, 1, ...shuffled.slice(0, 6));
        await flushEvents(version, 2, ...shuffled.slice(6));
        await expectEvents(version, shuffled);
      });

      it('may be equal', async () => {
        const version = newVersion();
        const events = [eventAt(1), eventAt(1), eventAt(1, { a: 1 })];
        await flushEvents(version, 1, ...events);
        expect(toJson(await all(store.events(version))).sort()).toEqual(toJson(events).sort());
      });

      it('may be numerous', async () => {
        const version = newVersion();
        const batches = Array.from({ length: 50 }, (_, batch) =>
          Array.from({ length: 1_000 }, (_, index) => eventAt(batch * 1_000 + index, { a: index % 7 })),
        );
        const lines = batches.map((batch) => batch.map(({ event, properties }) => eventLine(event, properties)));
        await store.flush(version, 'events', [await file(version, 'events', 1, lines)]);
        await expectEvents(version, batches.flat());
      });
    });

    describe('a flush', () => {
      it('adds nothing when repeated', async () => {
        const version = newVersion();
        const events = [eventAt(1), eventAt(2), eventAt(3)];
        const files = await Promise.all(events.map((event, index) => logFileOf(version, index + 1, event)));
        await store.flush(version, 'events', files.slice(0, 2));
        await store.flush(version, 'events', files.slice(0, 2));
        await expectEvents(version, events.slice(0, 2));
        await store.flush(version, 'events', files);
        await expectEvents(version, events);
      });

      it('applies no update twice when repeated', async () => {
        const version = newVersion();
        const added = await file(version, 'people', 1, [[{ $distinct_id: 'a', $add: { n: 1 } }]]);
        await store.flush(version, 'people', [added]);
        await store.flush(version, 'people', [added]);
        expect(await all(store.people(version))).toEqual([{ distinctId: 'a', properties: { n: 1 } }]);
      });

      it('distinguishes files of different versions and kinds', async () => {
        const [left, right] = [newVersion(), newVersion()];
        await flushEvents(left, 1, eventAt(1));
        await flushEvents(right, 1, eventAt(2));
        await flushPeople(left, 1, { $distinct_id: 'a', $set: { n: 1 } });
        await expectEvents(left, [eventAt(1)]);
        await expectEvents(right, [eventAt(2)]);
        expect(await countOf(store, left, 'people')).toBe(1);
        expect(await countOf(store, right, 'people')).toBe(0);
      });

      it.each<RecordKind>(['events', 'people'])('adds all %s or none', async (kind) => {
        const version = newVersion();
        const line = kind === 'events' ? eventLine('a', eventAt(1).properties) : { $distinct_id: 'a', $set: { n: 1 } };
        const [whole, missing] = [await file(version, kind, 1, [[line]]), await file(version, kind, 2, [[line]])];
        await rm(missing.path);
        await expect(store.flush(version, kind, [whole, missing])).rejects.toBeInstanceOf(StoreError);
        expect(await countOf(store, version, kind)).toBe(0);
        await store.flush(version, kind, [whole]);
        expect(await countOf(store, version, kind)).toBe(1);
      });

      it('works for many versions concurrently', async () => {
        const flushed = Array.from({ length: 6 }, (_, index) => [newVersion(), eventAt(index)] as const);
        await Promise.all(
          flushed.flatMap(([version, event]) => [
            flushEvents(version, 1, event),
            flushPeople(version, 1, { $distinct_id: version.id, $set: {} }),
          ]),
        );
        for (const [version, event] of flushed) {
          await expectEvents(version, [event]);
          expect(await all(store.people(version))).toEqual([{ distinctId: version.id, properties: {} }]);
        }
      });
    });

    describe('an insert ID', () => {
      const sent = (at: number, id: unknown, properties: Properties = {}) =>
        eventAt(at, { ...properties, $insert_id: id });

      it('keeps the event that was flushed first', async () => {
        const version = newVersion();
        await flushEvents(version, 1, sent(3, 'a'), eventAt(2), eventAt(1), sent(4, 'b'));
        await flushEvents(version, 2, sent(5, 'b'), sent(0, 'a'), sent(6, 'c'), eventAt(7));
        await expectEvents(version, [eventAt(1), eventAt(2), sent(3, 'a'), sent(4, 'b'), sent(6, 'c'), eventAt(7)]);
      });

      it('keeps the first event of a batch', async () => {
        const version = newVersion();
        const [first, second] = [
          await logFileOf(version, 1, sent(9, 'a'), sent(1, 'b'), sent(2, 'a')),
          await logFileOf(version, 2, sent(3, 'b'), sent(4, 'a'), sent(5, 'c')),
        ];
        await store.flush(version, 'events', [first, second]);
        await expectEvents(version, [sent(9, 'a'), sent(1, 'b'), sent(5, 'c')]);
      });

      it('may first occur in a later flush', async () => {
        const version = newVersion();
        await flushEvents(version, 1, eventAt(1));
        await flushEvents(version, 2, sent(2, 'a'), sent(3, 'a'), eventAt(4));
        await flushEvents(version, 3, sent(5, 'a'), eventAt(6));
        await expectEvents(version, [eventAt(1), sent(2, 'a'), eventAt(4), eventAt(6)]);
      });

      it('may be a number, equal to its string', async () => {
        const version = newVersion();
        await flushEvents(version, 1, sent(1, 12), sent(2, '12'), sent(3, '1e21'), sent(4, 1e21));
        await expectEvents(version, [sent(1, 12), sent(3, '1e21'), sent(4, 1e21)]);
      });

      it('may be repeated by another user', async () => {
        const version = newVersion();
        const users = Array.from({ length: 8 }, (_, number) => `u${number}`);
        const first = users.map((distinct_id, at) => sent(at + 10, `i${at}`, { distinct_id }));
        const again = users.map((distinct_id, at) => sent(at + 20, `i${(at + 1) % 8}`, { distinct_id }));
        const later = users.map((distinct_id, at) => sent(at, `i${(at + 3) % 8}`, { distinct_id }));
        await flushEvents(version, 1, ...first, ...again);
        await flushEvents(version, 2, ...later, sent(30, 'j'));
        await expectEvents(version, [...first, sent(30, 'j')]);
      });

      it('is unique only within its version', async () => {
        for (const version of [newVersion(), newVersion()]) {
          await flushEvents(version, 1, sent(1, 'a'));
          await expectEvents(version, [sent(1, 'a')]);
        }
      });
    });

    describe('people', () => {
      it('are the result of their updates in the order of the log', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(fc.array(updates, { maxLength: 12 }), { maxLength: 3 }), async (flushed) => {
            const version = newVersion();
            for (const [index, lines] of flushed.entries()) await flushPeople(version, index + 1, ...lines);
            expect(toJson(await all(store.people(version)))).toEqual(toJson(foldUpdates(flushed.flat())));
            await store.drop(version);
          }),
          { numRuns },
        );
      });

      it('are sorted by ID in code-point order', async () => {
        const version = newVersion();
        const ids = ['\uffff', '\u{1f600}', 'b', 'B', 'a', 'aa', '\ufeffa', 'a\u0000', '10', '9', 'é'];
        await flushPeople(version, 1, ...ids.map((id) => ({ $distinct_id: id, $set: { id } })));
        const people = await all(store.people(version));
        expect(people).toEqual(ids.toSorted(compareStrings).map((id) => ({ distinctId: id, properties: { id } })));
      });

      it('keep any value', async () => {
        const version = newVersion();
        const properties = JSON.parse(
          '{"__proto__":1,"a":{"b":[null,{}]},"":2,"a.b":[],"\\u0000":"\\u0000","c":1e21,"d":null}',
        );
        await flushPeople(version, 1, { $distinct_id: 'a', $set: properties });
        expect(toJson(await all(store.people(version)))).toEqual(toJson([{ distinctId: 'a', properties }]));
      });

      it('may be numerous with many updates each', async () => {
        const version = newVersion();
        const lines = Array.from({ length: 30_000 }, (_, index) => ({
          $distinct_id: `u${index % 7_001}`,
          $add: { n: 1 },
          $set: { last: index },
        }));
        await flushPeople(version, 1, ...lines.slice(0, 20_000));
        await flushPeople(version, 2, ...lines.slice(20_000));
        expect(await countOf(store, version, 'people')).toBe(7_001);
        expect(toJson(await all(store.people(version)))).toEqual(toJson(foldUpdates(lines)));
      });

      it('can be deleted and created again', async () => {
        const version = newVersion();
        await flushPeople(version, 1, { $distinct_id: 'a', $set: { x: 1 } }, { $distinct_id: 'b', $set: { x: 1 } });
        await flushPeople(version, 2, { $distinct_id: 'a', $delete: '' });
        expect(await countOf(store, version, 'people')).toBe(1);
        await flushPeople(version, 3, { $distinct_id: 'a', $set: { y: 2 } });
        expect(await all(store.people(version))).toEqual([
          { distinctId: 'a', properties: { y: 2 } },
          { distinctId: 'b', properties: { x: 1 } },
        ]);
      });
    });

    describe('a read', () => {
      const READ = 20_000;

      const readable = async (): Promise<[StoredVersion, StoredEvent[]]> => {
        const version = newVersion();
        const events = Array.from({ length: READ }, (_, index) => eventAt(index, { a: index % 5 }));
        await flushEvents(version, 1, ...events);
        return [version, events];
      };

      it('can run concurrently with others', async () => {
        const [version, events] = await readable();
        const read = await Promise.all([
          all(store.events(version)),
          all(store.events(version)),
          all(store.events(version)),
        ]);
        for (const each of read) expect(toJson(each)).toEqual(toJson(events));
      });

      it('does not see later flushes', async () => {
        const [version, events] = await readable();
        const reading = store.events(version)[Symbol.asyncIterator]();
        const first = await reading.next();
        await flushEvents(version, 2, eventAt(READ, { new: true }));
        expect(toJson([first.value, ...(await rest(reading))])).toEqual(toJson(events));
        expect(await countOf(store, version, 'events')).toBe(READ + 1);
      });

      it('finishes after its version is dropped', async () => {
        const [version, events] = await readable();
        const readings = [store.events(version), store.events(version)].map((each) => each[Symbol.asyncIterator]());
        const firsts = await Promise.all(readings.map((reading) => reading.next()));
        await store.drop(version);
        expect(await countOf(store, version, 'events')).toBe(0);
        expect(await all(store.events(version))).toEqual([]);
        for (const [index, reading] of readings.entries()) {
          expect(toJson([firsts[index]?.value, ...(await rest(reading))])).toEqual(toJson(events));
        }
      });

      it('can be stopped early', async () => {
        const [version] = await readable();
        for await (const event of store.events(version)) {
          expect(event.event).toBe('a');
          break;
        }
        await store.drop(version);
        expect(await countOf(store, version, 'events')).toBe(0);
      });
    });

    it('drop removes one version and no other', async () => {
      const [dropped, kept] = [newVersion(), newVersion()];
      await flushEvents(dropped, 1, eventAt(1));
      await flushPeople(dropped, 1, { $distinct_id: 'a', $set: {} });
      await flushEvents(kept, 1, eventAt(2));
      await store.drop(dropped);
      await store.drop(dropped);
      expect(await countOf(store, dropped, 'events')).toBe(0);
      expect(await all(store.people(dropped))).toEqual([]);
      await expectEvents(kept, [eventAt(2)]);
    });
  });
}
