import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/queries/endpoints/endpoints.ts';
import { strings } from '../../src/queries/endpoints/kinds.ts';
import { HAS_REAL_DATA, REAL_DATA, realLines } from '../real-data.ts';
import { drawSample } from '../runs.ts';
import { assignTimes, foldUpdates, storedEvents, updates } from '../service/store/store-records.ts';
import { Client } from './client.ts';
import { onwhere, ServerProcess, TestFolder } from './server-process.ts';

const KINDS = ['events', 'people'] as const;

/** These answers name versions or the project, which differ. */
const OF_VERSIONS = ['/overview/datasets', '/overview/project'];

/** An event, a property and a month of the data. */
interface Known {
  readonly event: string;
  readonly property: string;
  readonly month: string;
}

let folder: TestFolder;
let server: ServerProcess | undefined;
beforeAll(() => {
  folder = TestFolder.make();
});
afterEach(async () => void (await server?.stop()));
afterAll(() => folder.remove());

function run(...args: readonly string[]): void {
  const { status, stderr } = onwhere(...args);
  expect([status, stderr.split('\n').filter((line) => line.startsWith('error'))]).toEqual([0, []]);
}

/** Writes the exported events and people and returns their files. */
function exportAll(name: string, ...from: readonly string[]): string[] {
  return KINDS.map((kind) => {
    const file = join(folder.path, `${name}-${kind}.ndjson.gz`);
    run('export', kind, ...from, '--output', file);
    return file;
  });
}

function readExport(files: readonly string[]): string[] {
  return files.map((file) => gunzipSync(readFileSync(file)).toString());
}

/** Returns the answers of all queries, with events and properties of the data. */
async function ask(client: Client, { event, property, month }: Known): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const { path, parameters, example, isWrite } of ENDPOINTS) {
    if (isWrite || OF_VERSIONS.includes(path)) continue;
    const dates = { from_date: `${month}-01`, to_date: `${month}-28`, unit: 'day' };
    const given = { ...example, ...dates, event, name: property, on: `properties["${property}"]` };
    const values = Object.entries(given).filter(([name]) => name in parameters && name !== 'where');
    const list = parameters.event?.kind === strings;
    const asked = values.map(([name, value]) => [name, name === 'event' && list ? JSON.stringify([value]) : value]);
    const response = await client.request('GET', `/api/2.0${path}`, Object.fromEntries(asked));
    const text = await response.text();
    answers.set(path, [response.status, text.replace(/"session_id":"[^"]*"/, '')]);
  }
  return answers;
}

/**
 * Imports files, copies their project by an export, and expects both to have the same records and answers.
 *
 * @returns The exported events and people, as NDJSON.
 */
async function expectCopy(name: string, files: readonly string[], known: Known): Promise<string[]> {
  const target = ['--data', folder.path];
  const original = folder.createProject(name);
  const copy = folder.createProject(`${name}copy`);
  const steps = [known.event, known.event].flatMap((event) => ['--step', event]);
  for (const project of [name, `${name}copy`]) {
    folder.createDataset('orders', project);
    run(
      'funnel',
      'create',
      'Twice',
      ...steps,
      '--length',
      '9',
      '--length-unit',
      'day',
      '--project',
      project,
      ...target,
    );
  }
  run('import', ...files, '--project', name, '--dataset', 'orders', ...target);
  const exported = exportAll(name, '--project', name, ...target);
  run('import', ...exported, '--project', `${name}copy`, '--dataset', 'orders', ...target);
  const copied = exportAll(`${name}copy`, '--project', `${name}copy`, ...target);
  server = await ServerProcess.start(folder);
  const served = exportAll(`${name}served`, '--server', server.address, '--secret', original.secret);
  const answers = await ask(new Client(original, server), known);
  const copiedAnswers = await ask(new Client(copy, server), known);
  expect(await server.stop()).toBe(0);
  const texts = readExport(exported);
  for (const text of texts) expect(text.length).toBeGreaterThan(0);
  // Strings of this length would make a long difference.
  expect(readExport(copied).map((text, index) => text === texts[index])).toEqual([true, true]);
  expect(readExport(served).map((text, index) => text === texts[index])).toEqual([true, true]);
  expect([...answers].filter(([, answer]) => (answer as [number])[0] !== 200)).toEqual([]);
  expect(copiedAnswers).toEqual(answers);
  return texts;
}

describe('a project and its copy by an export have the same records and answers', () => {
  it('for tricky records', async () => {
    const events = assignTimes([drawSample(storedEvents, 2_000)]).flat();
    const people = foldUpdates(drawSample(updates, 2_000));
    const lines = [
      ...events,
      // Equal events.
      ...events.slice(0, 50),
      ...people.map(({ distinctId, properties }) => ({ $distinct_id: distinctId, $properties: properties })),
    ];
    const file = join(folder.path, 'tricky.ndjson');
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await expectCopy('tricky', [file], { event: 'a', property: 'a', month: '2025-01' });
  });

  it.runIf(HAS_REAL_DATA)('for files of real data, which the export has whole', async () => {
    // Each run takes one half of the files.
    const half = Number(process.env.ONWHERE_SEED) % 2;
    const events = ['online-retail', 'osd-ecommerce', 'osd-flights', 'osd-logs']
      .filter((_, index) => index % 2 === half)
      .map((name) => `${name}.ndjson.gz`);
    const people = 'congress.ndjson.gz';
    const files = [...events, people].map((file) => join(REAL_DATA, file));
    const texts = await expectCopy('real', files, { event: 'purchase', property: 'Country', month: '2010-12' });
    const sent = [events.flatMap((file) => realLines(file)), realLines(people)];
    for (const [index, text] of texts.entries()) {
      const wanted = sent[index]?.map((record) => JSON.stringify(record)).sort() ?? [];
      // Exports keep how numbers are written, such as `0.0`.
      const lines = text.trimEnd().split('\n');
      const found = lines.map((line) => JSON.stringify(JSON.parse(line))).sort();
      expect(found.length).toBe(wanted.length);
      const at = wanted.findIndex((one, index) => one !== found[index]);
      expect(found[at]).toBe(wanted[at]);
    }
  });
});
