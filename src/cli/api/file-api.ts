import { getCurrentTime } from '../../base/current-time.ts';
import { getBucket, toLocalSeconds } from '../../data/buckets.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
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
import { type DataExtent, getParameters, isLatest, QueryDefaults } from './query-defaults.ts';
import type { ServiceApi } from './service-api.ts';
import { TableApi } from './table-api.ts';

/** The queries about today. */
const LATEST = ['/events/top', '/events/names'];

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
  private readonly defaults: QueryDefaults;

  private constructor(
    io: Io,
    private readonly api: ServiceApi,
    private readonly census: Census | undefined,
    private readonly clock: Clock,
    private readonly timeZone: string,
  ) {
    const words = { subject: 'The files have', days: 'all days', place: `of the files (${timeZone})` };
    this.defaults = new QueryDefaults(io, words, async () => readExtent(census, timeZone));
  }

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
  async complete(path: string, given: QueryParameters): Promise<QueryParameters> {
    const { census, clock } = this;
    clock.set(undefined);
    if (census === undefined) {
      if (path === '/engage') return given;
      throw new InputError('The files have people but no events');
    }
    // Periods before the present end with the last event.
    if (LATEST.includes(path) || isLatest(getParameters(path), given)) {
      clock.set(census.last);
      this.defaults.note(`Today is ${formatDay(census.last, this.timeZone)}, the day of the last event`);
    }
    return this.defaults.complete(path, given);
  }

  /** Answers like a server with the records of the files. */
  async query(path: string, given: QueryParameters): Promise<string> {
    const completed = await this.complete(path, given);
    if (path === '/funnels') assertSteps(given);
    const text = await this.api.query(path, completed);
    if (path === '/engage' && this.census !== undefined && JSON.parse(text).results.length === 0)
      this.defaults.note('People are profiles. To count the users of events, run `onwhere events --unique`');
    return text;
  }

  /** Returns lines like a server with the records of the files. */
  async lines(path: string, given: QueryParameters): Promise<AsyncIterable<string | Uint8Array>> {
    return this.api.lines(path, given);
  }
}

function readExtent(census: Census | undefined, timeZone: string): DataExtent {
  if (census === undefined) return { events: [], days: undefined };
  const { counts, first, last } = census;
  return { events: [...counts.keys()], days: { from: formatDay(first, timeZone), to: formatDay(last, timeZone) } };
}

function formatDay(time: number, timeZone: string): string {
  return getBucket(toLocalSeconds(time, 'day', findTimeZone(timeZone)), 'day');
}

function assertSteps({ funnel_id: id, steps }: QueryParameters): void {
  if (id !== undefined) throw new UsageError('Files have no saved funnels. Pass --steps instead of --funnel-id');
  if (steps === undefined) throw new UsageError("Name the events of the funnel: --steps 'view product',purchase");
}
