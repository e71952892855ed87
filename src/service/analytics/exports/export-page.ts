import type { JsonSqlRow } from '../../store/store-snapshot.ts';
import type { EventQuery } from '../sql/event-query.ts';

/** An event of an export, and how many of the events before it and itself are equal to it. */
export interface ExportPosition {
  readonly time: number;
  readonly user: string;
  readonly event: string;
  readonly properties: string;
  readonly equal: number;
}

/** How much a query of an export reads, at most. It may exceed the bytes by one event. */
export interface ExportLimits {
  readonly events: number;
  readonly bytes: number;
}

/**
 * The next events after a position, ordered by time, user, name and properties. Events with the same order are equal, so
 * pages neither lose nor repeat any.
 */
export class ExportPage {
  /** The last event that was read. */
  position: ExportPosition | undefined;
  private events = 0;
  private bytes = 0;

  constructor(
    private readonly after: ExportPosition | undefined,
    private readonly limits: ExportLimits,
  ) {
    this.position = after;
  }

  /** Whether no events are left. */
  get isLast(): boolean {
    return this.bytes < this.limits.bytes && this.events < this.limits.events;
  }

  /** The number of events of this size whose page is unlikely to exceed a number of bytes. */
  countFitting(bytes: number): number {
    return Math.max(1, Math.floor((bytes * this.events) / (2 * Math.max(1, this.bytes))));
  }

  /** Yields lines of events that a query selects, none of which may be before the time of the position. */
  async *read(query: EventQuery): AsyncGenerator<string> {
    const columns = '"time", distinct_id, event, CAST(properties AS VARCHAR) AS record';
    query.define('records', `SELECT ${columns} FROM selected`);
    query.define('later', `SELECT * FROM records${this.lowerPosition(query)}`);
    const order = 'ORDER BY "time", distinct_id, event, record';
    const [{ events }, skipped] = [this.limits, this.after?.equal ?? 0];
    // No page has more events of one shard.
    query.collect('taken', `SELECT * FROM later ${order} LIMIT ${events + skipped}`);
    for await (const rows of query.stream(`SELECT * FROM taken ${order} LIMIT ${events} OFFSET ${skipped}`)) {
      let lines = '';
      for (const row of rows) {
        if (this.bytes >= this.limits.bytes) break;
        const line = this.take(row);
        this.events++;
        this.bytes += Buffer.byteLength(line);
        lines += line;
      }
      yield lines;
      if (this.bytes >= this.limits.bytes) break;
    }
  }

  /** Returns the line of an event, and makes it the position. */
  private take({ time, distinct_id, event, record }: JsonSqlRow): string {
    const next = { time: Number(time), user: String(distinct_id), event: String(event), properties: String(record) };
    const last = this.position;
    const isEqual =
      last?.time === next.time &&
      last.user === next.user &&
      last.event === next.event &&
      last.properties === next.properties;
    this.position = { ...next, equal: isEqual ? last.equal + 1 : 1 };
    return `{"event":${JSON.stringify(next.event)},"properties":${next.properties}}\n`;
  }

  /** Returns SQL for the events from the position on. */
  private lowerPosition(query: EventQuery): string {
    if (this.after === undefined) return '';
    const { time, user, event, properties } = this.after;
    const [id, name, record] = [user, event, properties].map((value) => query.bind(value));
    const sameUser = `event > ${name} OR (event = ${name} AND record >= ${record})`;
    return ` WHERE "time" > ${time} OR distinct_id > ${id} OR (distinct_id = ${id} AND (${sameUser}))`;
  }
}
