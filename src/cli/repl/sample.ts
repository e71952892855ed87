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

/** The maximum number of events in memory. */
const MAX_EVENTS = 1000;

/** The first events of a file, one of which is current. A filter can limit which events are visited and counted. */
export class Sample {
  private index = 0;
  private filter: Compiled<boolean> | undefined;

  constructor(
    private readonly file: string,
    private readonly events: readonly EventRecord[],
  ) {}

  /** Reads a sample from a file and warns about records that cannot be read. */
  static async load(io: Io, file: string): Promise<Sample> {
    if (file === '-')
      throw new UsageError('repl reads your input from standard input, so the events must come from a file');
    const events: EventRecord[] = [];
    const broken = new BrokenRecords(io);
    for await (const { records } of readEvents(io, file, { onBroken: (found) => broken.add(found) })) {
      events.push(...records.slice(0, MAX_EVENTS - events.length));
      if (events.length === MAX_EVENTS) break;
    }
    broken.printTotal();
    return new Sample(file, events);
  }

  /** The event that expressions are evaluated on; undefined without events. */
  get current(): EventRecord | undefined {
    return this.events[this.index];
  }

  /** Infers a schema from the events; an empty one without events. */
  inferSchema(): Schema {
    return this.events.length === 0 ? {} : inferSchema(this.events);
  }

  describe(): string {
    const { length } = this.events;
    if (length === 0) return 'No events: every property is undefined';
    return `${length === MAX_EVENTS ? 'The first ' : ''}${pluralize(length, 'event')} of ${escapeUnprintable(this.file)}`;
  }

  /** Describes the position of an event: "Event 2 of 10". */
  place(event: EventRecord): string {
    return `Event ${formatInteger(this.events.indexOf(event) + 1)} of ${formatInteger(this.events.length)}`;
  }

  /** Sets the filter, unless nothing matches it, and returns the matching events. Without a filter, all match. */
  narrow(filter: Compiled<boolean> | undefined): readonly EventRecord[] {
    const left = filter === undefined ? this.events : this.events.filter((event) => this.evaluate(filter, event));
    if (left.length > 0) this.filter = filter;
    return left;
  }

  /** The events that match the filter. */
  get left(): readonly EventRecord[] {
    return this.narrow(this.filter);
  }

  /** Describes how many events match the filter. */
  extent(): string {
    const all = pluralize(this.events.length, 'event');
    return this.filter === undefined
      ? all
      : `${formatInteger(this.left.length)} of ${all}, where ${escapeUnprintable(toLine(this.filter.source))}`;
  }

  /** Moves to the next or previous event that matches the filter and, if given, `match`. Undefined if none does. */
  go(by: 1 | -1, match?: Compiled<boolean>): EventRecord | undefined {
    const filters = [this.filter, match].filter((filter) => filter !== undefined);
    const { length } = this.events;
    for (let steps = 1; steps <= length; steps++) {
      const index = (this.index + by * steps + length) % length;
      const event = this.events[index] as EventRecord;
      if (!filters.every((filter) => this.evaluate(filter, event))) continue;
      this.index = index;
      return event;
    }
    return undefined;
  }

  /**
   * Evaluates a compiled expression on an event.
   *
   * @throws {RecordError} that names the event if the expression fails.
   */
  evaluate<Result>(compiled: Compiled<Result>, { properties, user, line }: EventRecord): Result {
    try {
      return compiled(properties, user);
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      const { source, operator, found, span } = error;
      throw new RecordError(`the record at ${this.file}:${line}`, { source, operator, found, span });
    }
  }
}
