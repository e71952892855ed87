import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCurrentTime } from '../../base/current-time.ts';
import { EventQuery } from '../../service/analytics/sql/event-query.ts';
import { maxOf, minOf, ROW_COUNT } from '../../service/analytics/sql/shard-aggregate.ts';
import { Catalog } from '../../service/datasets/catalog/catalog.ts';
import { importRecords, type ReadingOptions } from '../commands/import.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import type { Census } from './census.ts';
import { LocalApi } from './local-api.ts';

const PLACE = { project: 'files', datasetId: 'files' };

/**
 * Imports files into a temporary data folder, runs `work` and removes the folder, also if the program ends meanwhile.
 *
 * @param clock returns the time that queries take for the present, in Unix seconds
 * @throws {MissingDuckdbError} if DuckDB is not installed
 * @throws {InputError} if a file cannot be read, or a record cannot be imported
 */
export async function withTemporaryDatabase<Result>(
  io: Io,
  files: readonly string[],
  { timeZone, ...options }: ReadingOptions & { readonly timeZone: string } & Readonly<Record<string, unknown>>,
  clock: () => number,
  work: (api: LocalApi, census: Census | undefined) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'onwhere-answers-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const unsubscribe = io.signals.onExit(remove);
  try {
    const configuration = await loadConfiguration(io, { ...options, data: folder, store: 'duckdb' });
    const catalog = new Catalog(folder);
    await catalog.createProject(PLACE.project, timeZone);
    await catalog.createDataset(PLACE.project, PLACE.datasetId);
    await importRecords(io, files, configuration, PLACE, options);
    const ask = async (api: LocalApi) => work(api, await takeCensus(api));
    return await LocalApi.with(io, configuration, PLACE.project, ask, clock);
  } finally {
    unsubscribe();
    remove();
  }
}

async function takeCensus(api: LocalApi): Promise<Census | undefined> {
  const rows = await api.read((snapshot) => {
    const query = new EventQuery({ snapshot, timeZone: 'UTC', now: getCurrentTime() }, {});
    const values = { records: ROW_COUNT, first: minOf('"time"'), last: maxOf('"time"') };
    query.group('counted', { from: 'selected', keys: ['event'], values });
    return query.rows('SELECT * FROM counted ORDER BY records DESC, event');
  });
  if (rows.length === 0) return undefined;
  return {
    counts: new Map(rows.map(({ event, records }) => [String(event), Number(records)])),
    first: Math.min(...rows.map(({ first }) => Number(first))),
    last: Math.max(...rows.map(({ last }) => Number(last))),
  };
}
