import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCurrentTime } from '../../base/current-time.ts';
import { pluralize } from '../../base/strings.ts';
import { getBucket, toLocalSeconds } from '../../data/buckets.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { ENDPOINTS } from '../../queries/endpoints/endpoints.ts';
import { strings } from '../../queries/endpoints/kinds.ts';
import type { Parameters } from '../../queries/endpoints/parameter.ts';
import { MAX_NUMERIC_DAYS } from '../../queries/endpoints/segmentation.ts';
import { EventQuery } from '../../service/analytics/sql/event-query.ts';
import { maxOf, minOf, ROW_COUNT } from '../../service/analytics/sql/shard-aggregate.ts';
import { Catalog } from '../../service/datasets/catalog/catalog.ts';
import { importRecords, type ReadingOptions } from '../commands/import.ts';
import { UsageError } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';
import { LocalApi } from './local-api.ts';
import type { QueryParameters, ServiceApi } from './service-api.ts';

const PLACE = { project: 'files', datasetId: 'files' };

/** More events are not counted together unless they are named. */
const MAX_EVENTS = 12;

const DAY = 86_400;

/** A summary of the events of files: their names with counts, most frequent first, and their first and last time. */
interface Census {
  readonly counts: ReadonlyMap<string, number>;
  /** Unix seconds. */
  readonly first: number;
  readonly last: number;
}

/** Queries files: imports them into a temporary data folder, which it removes at the end. */
export class FileApi implements ServiceApi {
  private readonly noted = new Set<string>();

  private constructor(
    private readonly io: Io,
    private readonly api: LocalApi,
    private readonly census: Census | undefined,
    private readonly clock: { now: number | undefined },
    private readonly timeZone: string,
  ) {}

  /**
   * Imports the files, runs `work` and removes what was imported, also if the program ends meanwhile.
   *
   * @throws {InputError} if a file cannot be read, or a record cannot be imported.
   */
  static async with<Result>(
    io: Io,
    files: readonly string[],
    {
      timeZone = 'UTC',
      ...options
    }: ReadingOptions & { readonly timeZone?: string } & Readonly<Record<string, unknown>>,
    work: (api: ServiceApi) => Promise<Result>,
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
      const clock: { now: number | undefined } = { now: undefined };
      const ask = async (api: LocalApi) => work(new FileApi(io, api, await takeCensus(api), clock, timeZone));
      return await LocalApi.with(io, configuration, PLACE.project, ask, () => clock.now ?? getCurrentTime());
    } finally {
      unsubscribe();
      remove();
    }
  }

  /** Answers like a server with the records of the files. What is left out defaults to what the files have. */
  async query(path: string, given: QueryParameters): Promise<string> {
    const declared = ENDPOINTS.find((one) => one.path === path)?.parameters ?? {};
    const filled = { ...this.chooseEvents(path, given), ...this.chooseDates(path, declared, given), ...given };
    if (path === '/funnels') assertSteps(given);
    const text = await this.api.query(path, filled);
    if (path === '/engage' && this.census !== undefined && JSON.parse(text).results.length === 0)
      this.note('People are profiles. To count the users of events, run `onwhere events --type unique`');
    return text;
  }

  lines(path: string, parameters: QueryParameters): Promise<AsyncIterable<string | Uint8Array>> {
    return this.api.lines(path, parameters);
  }

  /** Chooses the events if none is named: all if the query takes several, or the only one. */
  private chooseEvents(path: string, given: QueryParameters): QueryParameters {
    const names = [...(this.census?.counts.keys() ?? [])];
    if (path === '/retention' && given.retention_type === undefined && given.born_event === undefined) {
      this.note('Every event starts a user (--retention-type compounded). Name the first one with --born-event');
      return { retention_type: 'compounded' };
    }
    const { isRequired, kind } = ENDPOINTS.find((one) => one.path === path)?.parameters.event ?? {};
    if (!isRequired || given.event !== undefined || names.length === 0) return {};
    if (kind === strings) {
      const top = names.slice(0, MAX_EVENTS);
      if (top.length < names.length) this.note(`The ${MAX_EVENTS} most frequent of ${names.length} events`);
      return { event: JSON.stringify(top) };
    }
    if (names.length === 1) return { event: names[0] as string };
    const listed = names.slice(0, MAX_EVENTS).map((name) => JSON.stringify(name));
    const more = names.length > listed.length ? ', …' : '';
    throw new UsageError(`Name an event with --event. The files have ${listed.join(', ')}${more}`);
  }

  /** Chooses the dates that are not set: the days of the events. Periods before the present end with the last event. */
  private chooseDates(path: string, declared: Parameters, given: QueryParameters): QueryParameters {
    const { census } = this;
    this.clock.now = undefined;
    if (census === undefined) {
      if (path === '/engage') return {};
      throw new InputError('The files have people but no events');
    }
    const isPeriod = declared.from_date !== undefined && !declared.from_date.isRequired;
    if (declared.from_date === undefined || (isPeriod && given.interval !== undefined)) {
      if (!isPeriod && !['/events/top', '/events/names'].includes(path)) return {};
      this.clock.now = census.last;
      this.note(`Today is ${this.formatDay(census.last)}, the day of the last event`);
      return {};
    }
    if (given.from_date !== undefined && given.to_date !== undefined) return {};
    const isShort = path.startsWith('/segmentation/');
    const first = isShort ? Math.max(census.first, census.last - (MAX_NUMERIC_DAYS - 1) * DAY) : census.first;
    const dates = {
      from_date: given.from_date ?? this.formatDay(first),
      to_date: given.to_date ?? this.formatDay(census.last),
    };
    const what =
      this.formatDay(first) > this.formatDay(census.first)
        ? `the last ${pluralize(MAX_NUMERIC_DAYS, 'day')}`
        : 'all days';
    this.note(`From ${dates.from_date} to ${dates.to_date}: ${what} of the files (${this.timeZone})`);
    return dates;
  }

  private formatDay(time: number): string {
    return getBucket(toLocalSeconds(time, 'day', findTimeZone(this.timeZone)), 'day');
  }

  /** Prints a note once: a table can take several queries. */
  private note(text: string): void {
    if (this.noted.has(text)) return;
    this.noted.add(text);
    printMessage(this.io, 'note', text);
  }
}

function assertSteps({ funnel_id: id, steps }: QueryParameters): void {
  if (id !== undefined) throw new UsageError('Files have no saved funnels. Pass --steps instead of --funnel-id');
  if (steps === undefined) throw new UsageError("Name the events of the funnel: --steps 'view product',purchase");
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
