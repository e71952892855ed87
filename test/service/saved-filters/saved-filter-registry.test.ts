import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Access, createFullAccess } from '../../../src/queries/access.ts';
import type { DamagedFileError } from '../../../src/service/datasets/files/errors.ts';
import { paths } from '../../../src/service/datasets/files/paths.ts';
import { SavedFilters } from '../../../src/service/datasets/saved/saved-filters.ts';
import type { ServiceEvent } from '../../../src/service/datasets/service-event.ts';
import { FilterMatcher } from '../../../src/service/saved-filters/filter-matcher.ts';
import type { MatchResult } from '../../../src/service/saved-filters/match-request.ts';
import { SavedFilterRegistry } from '../../../src/service/saved-filters/saved-filter-registry.ts';

const PROJECT = { id: 1, name: 'shop', token: 't', timeZone: 'UTC', hash: '' };
const ACCESS = createFullAccess(PROJECT as never, 'key');
const IMPORT = { datasetId: 'orders', versionId: 'v1', lines: ['{}'] };
const PRO = 'properties["plan"] == "pro"';

let folder: string;
let reports: ServiceEvent[];
let damaged: DamagedFileError[];
let notices: string[];
/** The matches of the next import. */
let match: () => Promise<MatchResult | undefined>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-segments-'));
  [reports, damaged, notices] = [[], [], []];
  match = async () => ({
    counts: [{ name: 'pro', events: 3, people: 2, failures: 1 }],
    notices: ['{"a":1}'],
  });
});

afterEach(() => rm(folder, { recursive: true }));

function open(): SavedFilterRegistry {
  const files = new SavedFilters(folder, (error) => damaged.push(error));
  const add = async (project: string, notice: string) => void notices.push(`${project} ${notice}`);
  const webhooks = { add, close: async () => undefined, size: 0 };
  const matcher = { match: () => match(), close: async () => undefined };
  return new SavedFilterRegistry(files, matcher, (event) => reports.push(event), webhooks);
}

it('keeps saved filters on disk, ordered by name, and counts what imports match', async () => {
  const first = open();
  expect(await first.match(ACCESS, IMPORT)).toBeUndefined();
  await first.put(ACCESS, 'pro', PRO);
  await first.put(ACCESS, 'all', 'true', 'purchase');
  const segments = { pro: { events: 3, people: 2, failures: 1 } };
  expect(await first.match(ACCESS, IMPORT)).toEqual({ segments });
  await first.match(ACCESS, IMPORT);
  expect(notices).toEqual(['shop {"a":1}', 'shop {"a":1}']);
  const last = { dataset_id: 'orders', dataset_version: 'v1', ...segments.pro };
  expect(await first.list(ACCESS)).toMatchObject([
    { name: 'all', event: 'purchase', where: 'true', events: 0, last_import: null },
    { name: 'pro', event: null, where: PRO, events: 6, last_import: last },
  ]);
  await first.put(ACCESS, 'pro', 'false');
  await first.remove(ACCESS, 'all');
  const second = open();
  expect(await second.list(ACCESS)).toMatchObject([{ name: 'pro', where: 'false', events: 0 }]);
  await expect(second.remove(ACCESS, 'all')).rejects.toMatchObject({ status: 404 });
});

it('tells an import nothing of saved filters that its secret may not list', async () => {
  const filters = open();
  await filters.put(ACCESS, 'pro', PRO);
  const accesses: Access[] = [
    { ...ACCESS, permissions: ['import'] },
    { ...ACCESS, permissions: ['import', 'query'], datasetId: 'orders' },
    { ...ACCESS, permissions: ['import', 'query'], where: PRO },
  ];
  for (const access of accesses) expect(await filters.match(access, IMPORT)).toBeUndefined();
  expect(notices).toHaveLength(3);
  expect(await filters.list(ACCESS)).toMatchObject([{ events: 9 }]);
});

it('does not count for a saved filter that was replaced while events were matched', async () => {
  const filters = open();
  await filters.put(ACCESS, 'pro', PRO);
  const result = await match();
  match = async () => {
    await filters.put(ACCESS, 'pro', 'true');
    return result;
  };
  await filters.match(ACCESS, IMPORT);
  expect(await filters.list(ACCESS)).toMatchObject([{ where: 'true', events: 0, last_import: null }]);
});

it.each([
  ['a b', 'true', /^Invalid parameter: name\. /],
  ['../up', 'true', /^Invalid parameter: name\. /],
  ['a', 'properties["plan"] = "pro"', /^Invalid parameter: where\. .*column 20.* Write `==`\.$/],
  ['a', '1 + 1', /^Invalid parameter: where\. /],
  ['a', 'user["plan"] == "pro"', /reads `user\[\.\.\.\]`/],
  ['a', `"${'x'.repeat(4_096)}" == "a"`, /has at most 4096/],
])('refuses %j with the filter %j', async (name, where, message) => {
  const filters = open();
  await expect(async () => filters.put(ACCESS, name, where)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(message),
  });
  expect(await readdir(folder)).toEqual([]);
});

it('refuses more than 1,000 saved filters', async () => {
  const filters = open();
  const path = paths.savedFilters(folder, 'shop');
  await filters.put(ACCESS, 's0', 'true');
  const content = JSON.stringify({ where: 'true', createdAt: '2026-01-01T00:00:00.000Z' });
  for (let index = 1; index < 1_000; index++) await writeFile(join(path, `s${index}.json`), content);
  const full = open();
  expect(await full.list(ACCESS)).toHaveLength(1_000);
  await expect(full.put(ACCESS, 'more', 'true')).rejects.toMatchObject({ status: 409 });
  await full.put(ACCESS, 's7', 'false');
});

it('is only for secrets of the whole project', async () => {
  const filters = open();
  const limited: [Partial<Access>, RegExp][] = [
    [{ datasetId: 'orders' }, /one dataset/],
    [{ where: 'true' }, /a filter/],
    [{ permissions: ['import'] }, /it is for imports/],
  ];
  for (const [limit, message] of limited) {
    const access = { ...ACCESS, ...limit };
    const refusal = { status: 401, message: expect.stringMatching(message) };
    await expect(async () => filters.list(access)).rejects.toMatchObject(refusal);
    await expect(async () => filters.put(access, 'a', 'true')).rejects.toMatchObject(refusal);
    await expect(async () => filters.remove(access, 'a')).rejects.toMatchObject(refusal);
  }
});

it('says that events were too much work, and matches the next', async () => {
  const filters = open();
  await filters.put(ACCESS, 'pro', PRO);
  const working = match;
  match = async () => undefined;
  expect(await filters.match(ACCESS, IMPORT)).toEqual({
    segments_error: expect.stringMatching(
      /^The server did not match 1 event of this import with 1 saved filter: it is too much/,
    ),
  });
  expect(reports).toMatchObject([{ kind: 'filters not matched', project: 'shop' }]);
  match = working;
  expect(await filters.match(ACCESS, IMPORT)).toHaveProperty('segments');
});

it('says that matching failed, and rests for a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') });
  try {
    const filters = open();
    await filters.put(ACCESS, 'pro', PRO);
    const working = match;
    match = async () => {
      throw new Error('the thread that matches them ended');
    };
    const report = {
      segments_error: expect.stringMatching(
        /did not match 1 event of this import with 1 saved filter\. It matches again from 2026-01-01T00:01:00\.000Z/,
      ),
    };
    expect(await filters.match(ACCESS, IMPORT)).toEqual(report);
    expect(reports).toMatchObject([{ kind: 'filters not matched', project: 'shop' }]);
    match = working;
    expect(await filters.match(ACCESS, IMPORT)).toEqual(report);
    vi.setSystemTime(Date.parse('2026-01-01T00:01:00Z'));
    expect(await filters.match(ACCESS, IMPORT)).toHaveProperty('segments');
  } finally {
    vi.useRealTimers();
  }
});

it('leaves out and reports a file that cannot be read', async () => {
  await open().put(ACCESS, 'pro', PRO);
  await writeFile(join(paths.savedFilters(folder, 'shop'), 'cut.json'), '{"where":"properties[');
  await writeFile(join(paths.savedFilters(folder, 'shop'), 'invalid.json'), '{"where":"1 +","createdAt":""}');
  expect(await open().list(ACCESS)).toMatchObject([{ name: 'pro' }]);
  expect(damaged).toHaveLength(2);
});

/** Returns the program of a thread that is ready and then runs `code`. */
function getProgram(code: string): URL {
  const source = `import { parentPort as port } from 'node:worker_threads'; ${code}; port.postMessage('ready');`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

it.each([
  ['for (;;);', /did not answer in 0\.05 seconds/],
  ['process.exit(0)', /ended/],
  ['throw new Error("broken")', /broken/],
])('ends a thread that runs %s', async (code, message) => {
  const entry = getProgram(`port.on('message', () => { ${code} })`);
  const matcher = new FilterMatcher({ entry, milliseconds: code.startsWith('for') ? 50 : 30_000 });
  const project = { id: 1, filters: [] };
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(matcher.match(project, { timeZone: 'UTC', lines: [], source: undefined })).rejects.toThrow(message);
  await matcher.close();
});

it('sends saved filters to the thread once, and again after a change', async () => {
  const entry = getProgram(`port.on('message', (request) => port.postMessage(request))`);
  const matcher = new FilterMatcher({ entry, milliseconds: 30_000 });
  const batch = { timeZone: 'UTC', lines: ['{}'], source: undefined };
  const filters = [{ name: 'a', where: 'true' }];
  const sent: unknown[] = [];
  for (const list of [filters, filters, [...filters]]) sent.push(await matcher.match({ id: 1, filters: list }, batch));
  expect(sent).toMatchObject([{ filters }, { filters: undefined }, { filters }]);
  await matcher.close();
  expect(await matcher.match({ id: 1, filters }, batch)).toMatchObject({ filters });
  await matcher.close();
});
