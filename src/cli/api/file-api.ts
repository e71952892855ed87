import { getCurrentTime } from '../../base/current-time.ts';
import { pluralize } from '../../base/strings.ts';
import { getBucket, toLocalSeconds } from '../../data/buckets.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { ENDPOINTS } from '../../queries/endpoints/endpoints.ts';
import { strings } from '../../queries/endpoints/kinds.ts';
import type { Parameters, QueryParameters } from '../../queries/endpoints/parameter.ts';
import { MAX_NUMERIC_DAYS } from '../../queries/endpoints/segmentation.ts';
import { MissingDuckdbError } from '../../service/store/store-error.ts';
import type { ReadingOptions } from '../commands/import.ts';
import { UsageError } from '../exit.ts';
import { expandFiles } from '../input/expand-files.ts';
import { InputError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { chooseTableLimit, parseSize } from '../query/file-limits.ts';
import { type Census, takeCensus } from './census.ts';
import { FileLines } from './file-lines.ts';
import { readFileRecords } from './file-records.ts';
import type { ServiceApi } from './service-api.ts';
import { TableApi } from './table-api.ts';

/** More events are not counted together unless they are named. */
const MAX_EVENTS = 12;

const DAY = 86_400;

/** The time that queries take for the present. */
class Clock {
  private fixed: number | undefined;

  /** Sets it, in Unix seconds; undefined is the current time. */
  set(time: number | undefined): void {
    this.fixed = time;
  }

  readonly now = (): number => this.fixed ?? getCurrentTime();
}

interface FileOptions extends ReadingOptions, Readonly<Record<string, unknown>> {
  readonly timeZone?: string;
  /** The properties that the queries read. */
  readonly reads: readonly PropertyRead[];
  /** Whether the queries read whole events, too. */
  readonly keepsWhole?: boolean | undefined;
  readonly memoryLimit?: string | undefined;
}

/** Queries files: reads their events into memory or, if they need too much of it, into a temporary database. */
export class FileApi implements ServiceApi {
  private readonly noted = new Set<string>();

  private constructor(
    private readonly io: Io,
    private readonly api: ServiceApi,
    private readonly census: Census | undefined,
    private readonly clock: Clock,
    private readonly timeZone: string,
  ) {}

  /**
   * Reads the files and runs `work`.
   *
   * @throws {InputError} if a file cannot be read, or has anything else than events and people
   */
  static async with<Result>(
    io: Io,
    names: readonly string[],
    { timeZone = 'UTC', reads, keepsWhole = false, ...options }: FileOptions,
    work: (api: ServiceApi) => Promise<Result>,
  ): Promise<Result> {
    const files = await expandFiles(names, (note) => printMessage(io, 'note', note));
    const { memoryLimit = chooseTableLimit() } = options;
    const clock = new Clock();
    const lines = new FileLines(io, files, options);
    const records = await readFileRecords(lines, reads, parseSize(memoryLimit), keepsWhole);
    if (records !== undefined) {
      const api = new TableApi(records, timeZone, clock.now);
      return work(new FileApi(io, api, takeCensus(records.table), clock, timeZone));
    }
    const isTooMuch = `need more than ${memoryLimit} of memory. Pass a higher --memory-limit, or`;
    if (lines.isStream) throw new InputError(`Events of standard input ${isTooMuch} name a file`);
    const { withTemporaryDatabase } = await import('./temporary-database.ts');
    try {
      return await withTemporaryDatabase(io, files, { timeZone, ...options }, clock.now, (api, census) =>
        work(new FileApi(io, api, census, clock, timeZone)),
      );
    } catch (error) {
      if (!(error instanceof MissingDuckdbError)) throw error;
      throw new UsageError(`The files ${isTooMuch} use DuckDB. ${error.message}`);
    }
  }

  /** Adds what the files have for the events and dates that are left out, and says so. */
  complete(path: string, given: QueryParameters): QueryParameters {
    const declared = ENDPOINTS.find((one) => one.path === path)?.parameters ?? {};
    return { ...this.chooseEvents(path, given), ...this.chooseDates(path, declared, given), ...given };
  }

  /** Answers like a server with the records of the files. */
  async query(path: string, given: QueryParameters): Promise<string> {
    const completed = this.complete(path, given);
    if (path === '/funnels') assertSteps(given);
    const text = await this.api.query(path, completed);
    if (path === '/engage' && this.census !== undefined && JSON.parse(text).results.length === 0)
      this.note('People are profiles. To count the users of events, run `onwhere events --unique`');
    return text;
  }

  /** Returns lines like a server with the records of the files. */
  async lines(path: string, given: QueryParameters): Promise<AsyncIterable<string | Uint8Array>> {
    return this.api.lines(path, given);
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
    this.clock.set(undefined);
    if (census === undefined) {
      if (path === '/engage') return {};
      throw new InputError('The files have people but no events');
    }
    const isPeriod = declared.from_date !== undefined && !declared.from_date.isRequired;
    if (declared.from_date === undefined || (isPeriod && given.interval !== undefined)) {
      if (!isPeriod && !['/events/top', '/events/names'].includes(path)) return {};
      this.clock.set(census.last);
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
