import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDbStore } from '../../../src/service/store/duckdb/duck-db-store.ts';
import type { StoredVersion } from '../../../src/service/store/store.ts';
import { codePoint } from '../../code-point.ts';
import { splitRuns } from '../../runs.ts';
import { countOf } from './count-of.ts';

let folder: string;
let store: DuckDbStore;
let versions = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-load-'));
  store = await DuckDbStore.open({ temporaryFolder: join(folder, 'temporary') });
});

afterAll(async () => {
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

const EVENT = '{"event":"a","properties":{"distinct_id":"u","time":5}}';

/** Returns an event with some JSON among its properties. */
const withProperty = (json: string) => `{"event":"a","properties":{"distinct_id":"u","time":5,"p":${json}}}`;

async function load(bytes: string | Uint8Array): Promise<[boolean, StoredVersion]> {
  const id = `l${++versions}`;
  const version = { id, folder: join(folder, id) };
  const file = join(folder, `${id}[*].ndjson`);
  await writeFile(file, bytes);
  return [await store.loadFile(version, file), version];
}

async function readEvents(version: StoredVersion): Promise<string[]> {
  const texts: string[] = [];
  for await (const event of store.events(version)) texts.push(JSON.stringify(event));
  return texts;
}

async function expectLoaded(bytes: string | Uint8Array, lines: readonly string[]): Promise<void> {
  const [isLoaded, version] = await load(bytes);
  expect(isLoaded).toBe(true);
  expect(await readEvents(version)).toEqual(lines.map(formatEvent));
}

function formatEvent(line: string): string {
  const { event, properties } = JSON.parse(line);
  return JSON.stringify({ event, properties });
}

describe('a file is loaded', () => {
  it.each<[string, string]>([
    ['plain', EVENT],
    ['with blanks', '  { "event" : "a" , "properties" : { "time" : 5 , "distinct_id" : "u" } }\r\n\n \n'],
    ['with its parts in another order', '{"properties":{"time":5,"distinct_id":"u"},"event":"a"}'],
    ['with an escaped name', '{"\\u0065vent":"a","properties":{"distinct_id":"u","time":5}}'],
    ['with objects in objects', withProperty('{"a":{"b":[{"c":1},{"c":2}]},"c":3}')],
    ['with lists in lists', withProperty('[[1,[2]],[]]')],
    ['with a great number', withProperty('1.5e+300')],
    ['with a number of many digits', withProperty('9'.repeat(300))],
    ['with a number as others write it', withProperty('[1.0,-0,1E3,1e-400]')],
    [
      'with texts that look like mistakes',
      withProperty('[",}", ":NaN", ":1e999", ": -inf", "{{{", "[[", "\\\\", "\\"{\\":"]'),
    ],
    ['with a byte order mark in a text', withProperty('"\ufeffa"')],
    ['with any character', withProperty('"\\u0000\\ud83d\\ude00é\\/\\u001f"')],
  ])('%s', (_, line) => expectLoaded(`${line}\n`, [line]));

  it('sorted by time', () => {
    const lines = [5, 3, 9, 3].map((time) => `{"event":"a","properties":{"distinct_id":"u","time":${time}}}`);
    const sorted = [1, 3, 0, 2].map((index) => lines[index] as string);
    return expectLoaded(lines.join('\n'), sorted);
  });

  it('with the first event of each insert ID', async () => {
    const ids = ['"a"', '"b"', '"a"', '"c"', '"b"'];
    const lines = ids.map(
      (id, index) => `{"event":"a","properties":{"distinct_id":"u","time":${10 - index},"$insert_id":${id}}}`,
    );
    const [isLoaded, version] = await load(lines.join('\n'));
    expect(isLoaded).toBe(true);
    expect((await readEvents(version)).sort()).toEqual([lines[0], lines[1], lines[3]].sort());
  });

  it('with the first event of each insert ID if it is sorted, also over several files', async () => {
    const line = (id: string | undefined, time: number) =>
      JSON.stringify({
        event: 'a',
        properties: { distinct_id: 'u', time, ...(id !== undefined && { $insert_id: id }) },
      });
    const first = [line('a', 1), line('b', 2), line(undefined, 3), line('a', 4), line(undefined, 5)];
    const [isLoaded, version] = await load(first.join('\n'));
    expect(isLoaded).toBe(true);
    const file = join(folder, 'second.ndjson');
    await writeFile(file, [line('b', 6), line('c', 7), line('c', 8), line('a', 9)].join('\n'));
    expect(await store.loadFile(version, file)).toBe(true);
    const kept = [line('a', 1), line('b', 2), line(undefined, 3), line(undefined, 5), line('c', 7)];
    expect(await readEvents(version)).toEqual(kept.map(formatEvent));
  });

  it('sorted by time if only its end is unsorted', async () => {
    const times = [...Array.from({ length: 5_000 }, (_, index) => index + 10), 7, 20];
    const line = (time: number, id: number) =>
      `{"event":"a","properties":{"distinct_id":"u","time":${time},"$insert_id":"i${id}"}}`;
    const [isLoaded, version] = await load(
      times.map((time, index) => line(time, index === 5_001 ? 3 : index)).join('\n'),
    );
    expect(isLoaded).toBe(true);
    const loaded = (await readEvents(version)).map((event) => JSON.parse(event).properties.time);
    expect(loaded).toEqual(times.slice(0, -1).toSorted((left, right) => left - right));
  });

  it('with properties that its first lines do not have, or have with other types', async () => {
    const values = ['1', '"1"', 'null', '[1]', '{"a":1}', 'true', '1.5', '-1', '1e3'];
    const plain = Array.from({ length: 3_000 }, () => withProperty('1'));
    const late = values.flatMap((json) => [withProperty(json), withProperty(`1,"q":${json}`)]);
    await expectLoaded([...plain, ...late].join('\n'), [...plain, ...late]);
  });

  it('if it is gzipped, in one or several members', async () => {
    await expectLoaded(gzipSync(`${EVENT}\n${EVENT}\n`), [EVENT, EVENT]);
    await expectLoaded(Buffer.concat([gzipSync(`${EVENT}\n`), gzipSync(`${EVENT}\n`)]), [EVENT, EVENT]);
  });

  it('with progress reports', async () => {
    const file = join(folder, 'progress.ndjson');
    await writeFile(file, `${EVENT}\n`.repeat(100_000));
    const parts: number[] = [];
    const version = { id: 'progress', folder: join(folder, 'progress') };
    expect(await store.loadFile(version, file, { onProgress: (part) => parts.push(part) })).toBe(true);
    expect(parts).toEqual(parts.toSorted((left, right) => left - right));
    expect(parts.at(-1)).toBe(1);
    expect(await countOf(store, version, 'events')).toBe(100_000);
  });

  it('exactly as an import reads it, or not at all, whatever JSON it contains', async () => {
    const value = fc.json({ stringUnit: codePoint, maxDepth: 4 });
    const number = fc.oneof(
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.constantFrom('1e400', '1.', '01', '-0'),
    );
    let loaded = 0;
    const law = fc.asyncProperty(fc.array(fc.oneof(value, number), { minLength: 1, maxLength: 5 }), async (values) => {
      const lines = values.map(withProperty);
      const [isLoaded, version] = await load(lines.join('\n'));
      if (!isLoaded) return;
      loaded++;
      expect(await readEvents(version)).toEqual(lines.map(formatEvent));
    });
    const { seeded, fresh } = splitRuns(40);
    await fc.assert(law, seeded);
    expect(loaded).toBeGreaterThan(5);
    await fc.assert(law, fresh);
  });
});

describe('a long file is not loaded', () => {
  it.each<[string, string]>([
    ['with a name twice', withProperty('1,"p":1')],
    ['with NaN', withProperty('NaN')],
    ['with a number that no double holds', withProperty('1e400')],
    ['with a comma too many', withProperty('1,')],
    ['with a comma too many and a blank', withProperty('1,').replace('}}', '\t}}')],
    ['with a comma too many after the properties', `${EVENT.slice(0, -1)},}`],
    ['with a comma too many in properties that come first', '{"properties":{"distinct_id":"u","time":5,},"event":"a"}'],
    ['with a time between seconds', EVENT.replace(':5', ':5.5')],
    ['with a time as others write it', EVENT.replace(':5', ':5e0')],
    ['with a token', withProperty('1,"token":"x"')],
    ['with a time in milliseconds', EVENT.replace(':5', ':1735689600000')],
    ['with an empty event', EVENT.replace('"a"', '""')],
    ['with something beside the properties', `${EVENT.slice(0, -1)},"x":1}`],
  ])('%s in its last line', async (_, line) => {
    const first = Array.from({ length: 3_000 }, (_, index) => withProperty(index % 2 === 0 ? '1' : '1.5'));
    const [isLoaded, version] = await load([...first, line].join('\n'));
    expect(isLoaded).toBe(false);
    expect(existsSync(version.folder)).toBe(false);
  });
});

describe('a file is not loaded and leaves nothing behind', () => {
  it.each<[string, string | Uint8Array]>([
    ['that is empty', ''],
    ['that is CSV', 'event,time,distinct_id\na,5,u\n'],
    ['that is a list', `[${EVENT}]`],
    ['that is broken off', EVENT.slice(0, -1)],
    ['that is not UTF-8', Buffer.from(withProperty('"\xff"'), 'latin1')],
    ['that begins with a byte order mark', `\ufeff${EVENT}`],
    ['whose gzip is broken off', gzipSync(`${EVENT}\n`.repeat(1_000)).subarray(0, -10)],
    ['with people', '{"$distinct_id":"u","$properties":{"a":1}}'],
    ['with flat records', '{"event":"a","distinct_id":"u","time":5}'],
    ['with something beside the properties', '{"event":"a","properties":{"distinct_id":"u","time":5},"x":1}'],
    ['without an event', '{"properties":{"distinct_id":"u","time":5}}'],
    ['with an event that is no text', '{"event":1,"properties":{"distinct_id":"u","time":5}}'],
    ['with an event that is empty', '{"event":"","properties":{"distinct_id":"u","time":5}}'],
    ['without a distinct_id', '{"event":"a","properties":{"time":5}}'],
    ['with an empty distinct_id', '{"event":"a","properties":{"distinct_id":"","time":5}}'],
    ['with a distinct_id that is no text', '{"event":"a","properties":{"distinct_id":12,"time":5}}'],
    ['without a time', '{"event":"a","properties":{"distinct_id":"u"}}'],
    ['with a time that is a text', '{"event":"a","properties":{"distinct_id":"u","time":"5"}}'],
    ['with a time between seconds', '{"event":"a","properties":{"distinct_id":"u","time":5.5}}'],
    ['with a time of 0', '{"event":"a","properties":{"distinct_id":"u","time":0}}'],
    ['with a time in milliseconds', '{"event":"a","properties":{"distinct_id":"u","time":1735689600000}}'],
    ['with a time that is null', '{"event":"a","properties":{"distinct_id":"u","time":null}}'],
    ['with an insert id that is no text', '{"event":"a","properties":{"distinct_id":"u","time":5,"$insert_id":null}}'],
    ['with an insert id that is empty', '{"event":"a","properties":{"distinct_id":"u","time":5,"$insert_id":""}}'],
    ['with a token that is null', '{"event":"a","properties":{"distinct_id":"u","time":5,"token":null}}'],
    ['with a token', '{"event":"a","properties":{"distinct_id":"u","time":5,"token":"x"}}'],
    ['with properties that are a list', '{"event":"a","properties":[]}'],
    ['with an event twice', '{"event":"a","event":"b","properties":{"distinct_id":"u","time":5}}'],
    ['with a name twice', withProperty('1,"p":1')],
    ['with a name twice, once escaped', withProperty('1,"\\u0070":2')],
    ['with a name twice in an object', withProperty('{"a":1,"a":1}')],
    ['with a name twice in an object of a list', withProperty('[{"a":{"b":1,"b":1}}]')],
    ['with NaN', withProperty('NaN')],
    ['with a negative infinity in a list', withProperty('[1, -Infinity]')],
    ['with inf', withProperty(' inf')],
    ['with a number that no double holds', withProperty('1e400')],
    ['with a number of too many digits', withProperty('9'.repeat(400))],
    ['with a comma too many', withProperty('1,')],
    ['with a comma too many in a list', withProperty('[1 , ]')],
    ['with half of a surrogate pair', withProperty('"\\ud800"')],
    ['that is deep', withProperty(`${'['.repeat(200)}${']'.repeat(200)}`)],
    ['with a record of more than 1 MiB', withProperty(`"${'x'.repeat(2 ** 20)}"`)],
  ])('%s', async (_, text) => {
    for (const bytes of typeof text === 'string' && text !== '' ? [text, `${EVENT}\n${text}\n${EVENT}`] : [text]) {
      const [isLoaded, version] = await load(bytes);
      expect(isLoaded).toBe(false);
      expect(existsSync(version.folder)).toBe(false);
    }
  });
});
