import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { type DataExtent, QueryDefaults } from './query-defaults.ts';
import type { ServiceApi } from './service-api.ts';

const WORDS = { subject: 'The project has', days: 'the days of nearly all events', place: 'of the project' };

/** Queries a project of a server or a data folder, whose data stands in for what a query leaves out. */
export class ProjectApi implements ServiceApi {
  private readonly defaults: QueryDefaults;
  private extent: Promise<DataExtent> | undefined;

  constructor(
    io: Io,
    private readonly api: ServiceApi,
  ) {
    this.defaults = new QueryDefaults(io, WORDS, () => this.getExtent());
  }

  complete(path: string, given: QueryParameters): Promise<QueryParameters> {
    if (path === '/funnels' && given.funnel_id === undefined && given.steps === undefined)
      throw new UsageError(
        "Name the events of the funnel, --steps 'view product',purchase, or a saved funnel with --funnel-id",
      );
    return this.defaults.complete(path, given);
  }

  async query(path: string, given: QueryParameters): Promise<string> {
    const text = await this.api.query(path, await this.complete(path, given));
    if (path === '/events/top' && JSON.parse(text).events.length === 0) await this.noteDays();
    return text;
  }

  lines(path: string, given: QueryParameters): Promise<AsyncIterable<string | Uint8Array>> {
    return this.api.lines(path, given);
  }

  private getExtent(): Promise<DataExtent> {
    this.extent ??= readExtent(this.api);
    return this.extent;
  }

  /** Says where the events are if none is of today. */
  private async noteDays(): Promise<void> {
    const { days } = await this.getExtent();
    const where = days === undefined ? '' : `. Nearly all are from ${days.from} to ${days.to}`;
    this.defaults.note(`The project has no events today${where}`);
  }
}

async function readExtent(api: ServiceApi): Promise<DataExtent> {
  const { from_date: from, to_date: to, events } = JSON.parse(await api.query('/overview', {}));
  return {
    events: events.map(({ event }: { readonly event: string }) => event),
    days: from === null ? undefined : { from, to },
  };
}
