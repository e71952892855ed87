import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventCollector } from '../../src/cli/api/event-collector.ts';
import { FileLines } from '../../src/cli/api/file-lines.ts';
import type { LineWalker } from '../../src/cli/input/line-walker.ts';
import { getValue } from '../../src/lang/plan/batch-column.ts';
import { runs } from '../runs.ts';
import { testIo } from './test-io.ts';

const NAMES = ['plan', 'event', 'time', '$insert_id'];

let folder = '';
let file = '';
/** How often a walker was asked for plain events. */
let walkers = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-plain-'));
  file = join(folder, 'events.ndjson');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads the file. Returns its events with their properties, or the message of the error. */
async function read(isPlainAllowed: boolean, names = NAMES): Promise<unknown> {
  const reads = names.map((name) => ({ scope: 'properties', name }) as const);
  const collector = new EventCollector(reads);
  const createPlainEvents = (walker: LineWalker) => {
    walkers++;
    return collector.createPlainEvents(walker);
  };
  try {
    await new FileLines(testIo(), [file], {}).read(reads, {
      addEvent: (line) => collector.addEvent(line),
      addPerson: (line) => collector.addPerson(line),
      ...(isPlainAllowed && { createPlainEvents }),
    });
  } catch (error) {
    return String(error);
  }
  const { table, people } = collector.finish();
  const columns = names.map((name) => table.getColumn({ scope: 'properties', name }));
  const events = Array.from(table.times, (time, row) => [
    table.eventNames[table.events[row] as number],
    table.userIds[table.users[row] as number],
    time,
    ...columns.map((column) => column && getValue(column, row)),
  ]);
  return { events, people, names: table.eventNames, order: [...table.order] };
}

/** The text of a value, as few as files have and as strange as they come. */
const text = fc.oneof(
  fc.constantFrom('"view"', '"buy"', '"ada"', '"bob"', '1748736000', '1748736001'),
  fc.constantFrom(
    '""',
    '"caf\u00e9"',
    '"\\ud800"',
    '"\\u0061da"',
    '1.5',
    '1e3',
    '1e999',
    '-0',
    '0',
    '4294967296',
    'null',
  ),
  fc.constantFrom('true', '[]', '["a",1e999]', '{}', '{"a":1}', `"${'x'.repeat(40)}"`),
);

const usual = <Key extends string>(key: Key, ...texts: string[]) =>
  fc.tuple(
    fc.constant(key),
    fc.oneof({ arbitrary: fc.constantFrom(...texts), weight: 9 }, { arbitrary: text, weight: 1 }),
  );

const fields = fc
  .tuple(
    usual('distinct_id', '"ada"', '"bob"'),
    usual('time', '1748736000', '1748736001'),
    fc.option(usual('$insert_id', '"a"', '"b"'), { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom('plan', 'token', 'event', '$distinct_id', 'distinct_id'), text), {
      nil: undefined,
    }),
    fc.option(fc.tuple(fc.constant('plan'), text), { nil: undefined }),
  )
  .map((members) => members.filter((member) => member !== undefined));

const toObject = (members: readonly (readonly [string, string])[]) =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

const event = usual('event', '"view"', '"buy"');

const line = fc.oneof(
  {
    arbitrary: fc.tuple(event, fields).map(([name, own]) => toObject([name, ['properties', toObject(own)]])),
    weight: 8,
  },
  { arbitrary: fc.tuple(event, fields).map(([name, own]) => toObject([name, ...own])), weight: 4 },
  fc.tuple(event, fields, text).map(([name, own, other]) => toObject([name, ...own, ['$properties', other]])),
  fc.tuple(event, fields, text).map(([name, own, other]) => toObject([name, ...own, ['properties', other]])),
  fields.map((own) =>
    toObject([
      ['$distinct_id', '"ada"'],
      ['$properties', toObject(own)],
    ]),
  ),
);

it('adds the events that records would, and leaves all others to records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 10 }), async (written) => {
      writeFileSync(file, `${written.join('\n')}\n`);
      expect(await read(true)).toEqual(await read(false));
    }),
    { numRuns: runs(300) },
  );
  expect(walkers).toBeGreaterThan(0);
});

it('adds no event of which a query reads the token, which imports drop', async () => {
  writeFileSync(file, '{"event":"a","properties":{"distinct_id":"ada","time":1748736000,"token":"t"}}\n');
  walkers = 0;
  expect(await read(true, ['token'])).toMatchObject({ events: [['a', 'ada', 1_748_736_000, undefined]] });
  expect(walkers).toBe(0);
});
