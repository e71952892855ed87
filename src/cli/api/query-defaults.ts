import { pluralize } from '../../base/strings.ts';
import { ENDPOINTS } from '../../queries/endpoints/endpoints.ts';
import { strings } from '../../queries/endpoints/kinds.ts';
import type { Parameters, QueryParameters } from '../../queries/endpoints/parameter.ts';
import { MAX_NUMERIC_DAYS } from '../../queries/endpoints/segmentation.ts';
import type { DateRange } from '../../queries/requests.ts';
import { UsageError } from '../exit.ts';
import { InputError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';

/** More events are not counted together unless they are named. */
const MAX_EVENTS = 12;

const DAY_MS = 86_400_000;

/** The events and the days of some data. */
export interface DataExtent {
  /** The names of the events, most frequent first. */
  readonly events: readonly string[];
  /** The first and the last day; undefined without events. */
  readonly days: DateRange | undefined;
}

/** The words for some data in messages. */
export interface DataWords {
  /** Begins a sentence: `The files have`. */
  readonly subject: string;
  /** Its days, such as `all days`. */
  readonly days: string;
  /** Follows the days: `of the files (UTC)`. */
  readonly place: string;
}

/** Returns whether the data stands in for a parameter that is left out. */
export function isChosen(name: string): boolean {
  return ['event', 'from_date', 'to_date'].includes(name);
}

/** Chooses the events and the dates of queries that leave them out, and says so. */
export class QueryDefaults {
  private readonly noted = new Set<string>();

  /** @param readExtent is called if a query leaves something out */
  constructor(
    private readonly io: Io,
    private readonly words: DataWords,
    private readonly readExtent: () => Promise<DataExtent>,
  ) {}

  /** Adds what a query leaves out. */
  async complete(path: string, given: QueryParameters): Promise<QueryParameters> {
    const declared = getParameters(path);
    return {
      ...(await this.chooseEvents(path, declared, given)),
      ...(await this.chooseDates(path, declared, given)),
      ...given,
    };
  }

  /** Prints a note once: a table can take several queries. */
  note(text: string): void {
    if (this.noted.has(text)) return;
    this.noted.add(text);
    printMessage(this.io, 'note', text);
  }

  /** Chooses the events if none is named: all if the query takes several, or the only one. */
  private async chooseEvents(path: string, declared: Parameters, given: QueryParameters): Promise<QueryParameters> {
    if (path === '/retention' && given.retention_type === undefined && given.born_event === undefined) {
      this.note('Every event starts a user (--retention-type compounded). Name the first one with --born-event');
      return { retention_type: 'compounded' };
    }
    const { isRequired, kind } = declared.event ?? {};
    if (!isRequired || given.event !== undefined) return {};
    const { events } = await this.readExtent();
    if (events.length === 0) return {};
    const top = events.slice(0, MAX_EVENTS);
    const isCut = top.length < events.length;
    if (kind === strings) {
      if (isCut) this.note(`The ${MAX_EVENTS} most frequent of ${events.length} events`);
      return { event: JSON.stringify(top) };
    }
    if (events.length === 1) return { event: events[0] as string };
    const listed = top.map((name) => JSON.stringify(name)).join(', ');
    throw new UsageError(`Name an event with --event. ${this.words.subject} ${listed}${isCut ? ', …' : ''}`);
  }

  /** Chooses the dates that are not set: the days of the events, or the last of them for a query that is limited. */
  private async chooseDates(path: string, declared: Parameters, given: QueryParameters): Promise<QueryParameters> {
    if (declared.from_date === undefined || isLatest(declared, given)) return {};
    if (given.from_date !== undefined && given.to_date !== undefined) return {};
    const { days } = await this.readExtent();
    const { subject, days: all, place } = this.words;
    if (days === undefined) throw new InputError(`${subject} no events`);
    const limited = new Date(Date.parse(days.to) - (MAX_NUMERIC_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    const isCut = path.startsWith('/segmentation/') && limited > days.from;
    const dates = { from_date: given.from_date ?? (isCut ? limited : days.from), to_date: given.to_date ?? days.to };
    const what = isCut ? `the last ${pluralize(MAX_NUMERIC_DAYS, 'day')}` : all;
    this.note(`From ${dates.from_date} to ${dates.to_date}: ${what} ${place}`);
    return dates;
  }
}

/** Returns whether a query is for a number of latest units, up to today. */
export function isLatest({ from_date: from }: Parameters, { interval }: QueryParameters): boolean {
  return from !== undefined && !from.isRequired && interval !== undefined;
}

/** Returns the declared parameters of a query. */
export function getParameters(path: string): Parameters {
  return ENDPOINTS.find((one) => one.path === path)?.parameters ?? {};
}
