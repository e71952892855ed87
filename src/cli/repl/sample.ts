import type { Compiled } from '../../api/expressions.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { inferSchema } from '../../lang/check/infer-schema.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { escapeUnprintable, formatInteger, pluralize } from '../../lang/util/strings.ts';
import { RecordError } from '../describe-failure.ts';
import { UsageError } from '../exit.ts';
import { readEvents } from '../input/read-events.ts';
import type { Io } from '../io.ts';
import { BrokenRecords } from '../messages.ts';
import { toLine } from './history.ts';

/** Events that are held for trying expressions on. */
const MAX_EVENTS = 1000;

/** The first events of a file. One is the current one; a filter may narrow down the others that are gone through and counted. */
export class Sample {
  private index = 0;
  private filter: Compiled<boolean> | undefined;

  constructor(
    private readonly file: string,
    private readonly events: readonly EventRecord[],
  ) {}

  /** Reads a sample from a file, and tells of the records that cannot be read. */
  static async load(io: Io, file: string): Promise<Sample> {
    if (file === '-') throw new UsageError('repl reads what you type from standard input: name a file for the events');
    const events: EventRecord[] = [];
    const broken = new BrokenRecords(io);
    for await (const { records } of readEvents(io, file, { onBroken: (found) => broken.add(found) })) {
      events.push(...records.slice(0, MAX_EVENTS - events.length));
      if (events.length === MAX_EVENTS) break;
    }
    broken.tell();
    return new Sample(file, events);
  }

  /** The event that expressions are tried on; none without events. */
  get current(): EventRecord | undefined {
    return this.events[this.index];
  }

  /** What the events say about their properties; without events, nothing is known. */
  inferSchema(): Schema {
    return this.events.length === 0 ? {} : inferSchema(this.events);
  }

  describe(): string {
    const { length } = this.events;
    if (length === 0) return 'No events: every property is undefined';
    return `${length === MAX_EVENTS ? 'The first ' : ''}${pluralize(length, 'event')} of ${escapeUnprintable(this.file)}`;
  }

  /** Which event it is, of how many. */
  place(event: EventRecord): string {
    return `Event ${formatInteger(this.events.indexOf(event) + 1)} of ${formatInteger(this.events.length)}`;
  }

  /** Narrows the events down, where any are left, and answers what is left. Without a filter all are. */
  narrow(filter: Compiled<boolean> | undefined): readonly EventRecord[] {
    const left = filter === undefined ? this.events : this.events.filter((event) => this.ask(filter, event));
    if (left.length > 0) this.filter = filter;
    return left;
  }

  /** The events that are left. */
  get left(): readonly EventRecord[] {
    return this.narrow(this.filter);
  }

  /** How many events are left, and why. */
  extent(): string {
    const all = pluralize(this.events.length, 'event');
    return this.filter === undefined
      ? all
      : `${formatInteger(this.left.length)} of ${all}, where ${escapeUnprintable(toLine(this.filter.source))}`;
  }

  /** Makes the next of the events that are left, or the one before, the current one: one for which a filter is true, if it is given. */
  go(by: 1 | -1, wanted?: Compiled<boolean>): EventRecord | undefined {
    const filters = [this.filter, wanted].filter((filter) => filter !== undefined);
    const { length } = this.events;
    for (let steps = 1; steps <= length; steps++) {
      const index = (this.index + by * steps + length) % length;
      const event = this.events[index] as EventRecord;
      if (!filters.every((filter) => this.ask(filter, event))) continue;
      this.index = index;
      return event;
    }
    return undefined;
  }

  /**
   * What a compiled expression answers for an event.
   *
   * @throws {RecordError} that says for which event it fails.
   */
  ask<Answer>(compiled: Compiled<Answer>, { properties, user, line }: EventRecord): Answer {
    try {
      return compiled(properties, user);
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      const { source, operator, found, span } = error;
      throw new RecordError(`the record at ${this.file}:${line}`, { source, operator, found, span });
    }
  }
}
