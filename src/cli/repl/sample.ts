import { getHeapStatistics } from 'node:v8';
import type { Compiled } from '../../api/expressions.ts';
import { escapeUnprintable, formatInteger, pluralize } from '../../base/strings.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { createFieldReader } from '../../data/field-mapping.ts';
import type { FormatOptions } from '../../data/file-format.ts';
import { SAMPLE_RECORDS } from '../../data/peek-records.ts';
import { inferSchema } from '../../lang/check/infer-schema.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { chooseFields, type FieldOptions } from '../choose-fields.ts';
import { UsageError } from '../exit.ts';
import { readEvents } from '../input/read-events.ts';
import type { ReadFileOptions } from '../input/read-file.ts';
import type { Io } from '../io.ts';
import { BrokenRecords, printMessage } from '../messages.ts';
import { RecordError } from '../record-error.ts';
import { toLine } from './history.ts';

/** The part of the heap that events may take. The rest is for the answers. */
const MAX_HEAP_SHARE = 0.7;

/** How to read events, how many, and whether memory is left for more. */
export interface SampleOptions extends FieldOptions, FormatOptions {
  /** The maximum number of events to read. */
  readonly events: number;
  readonly hasRoom?: () => boolean;
}

function isHeapFree(): boolean {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  return used_heap_size < MAX_HEAP_SHARE * heap_size_limit;
}

function describeFullMemory(file: string, events: number): string {
  const limit = Math.round(getHeapStatistics().heap_size_limit / 2 ** 20);
  return (
    `the memory is full after ${pluralize(events, 'event')} of ${file}. Ask for fewer with --events, ` +
    `or give Node.js more memory: NODE_OPTIONS=--max-old-space-size=${2 * limit}`
  );
}

/** The first events of a file, one of which is current. A filter can limit which events are visited and counted. */
export class Sample {
  private index = 0;
  private filter: Compiled<boolean> | undefined;

  constructor(
    private readonly file: string,
    private readonly events: readonly EventRecord[],
    readonly options: SampleOptions,
  ) {}

  /**
   * Reads a sample from a file and warns about records that cannot be read.
   *
   * @throws {UsageError} if the events do not fit in memory.
   */
  static async load(io: Io, file: string, options: SampleOptions): Promise<Sample> {
    const { events: max, hasRoom = isHeapFree } = options;
    if (file === '-')
      throw new UsageError('repl reads your input from standard input, so the events must come from a file');
    const events: EventRecord[] = [];
    const broken = new BrokenRecords(io);
    const reading: ReadFileOptions = {
      ...options,
      onBroken: (found) => broken.add(found),
      onNote: (note) => printMessage(io, 'note', note),
    };
    for await (const { records } of readEvents(io, file, reading)) {
      for (const record of records.slice(0, max - events.length)) events.push(record);
      if (events.length === max) break;
      if (!hasRoom()) throw new UsageError(describeFullMemory(file, events.length));
    }
    broken.printTotal();
    const fields = chooseFields(io, events.slice(0, SAMPLE_RECORDS), options);
    const read = createFieldReader({ fields, flatten: options.flatten });
    return new Sample(file, events.map(read), options);
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
    return `${length === this.options.events ? 'The first ' : ''}${pluralize(length, 'event')} of ${escapeUnprintable(this.file)}`;
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
