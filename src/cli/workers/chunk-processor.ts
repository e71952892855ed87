import { type Compiled, compileWhere } from '../../api/expressions.ts';
import type { EventRecord, MissingField } from '../../data/event-record.ts';
import { checkTree } from '../../lang/check/check.ts';
import { findRequiredStrings } from '../../lang/check/required-strings.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { parse } from '../../lang/syntax/parse.ts';
import { LinePrefilter } from '../input/line-prefilter.ts';
import { type BrokenLine, LineReader } from '../input/line-reader.ts';
import type { LineBlock } from '../input/split-line-blocks.ts';
import { type Aggregator, createAggregator } from './aggregator.ts';
import type { Job, JobKind, JobParts } from './job.ts';

/** A type error, as plain data, and the line of the record that raised it. */
export type ChunkTypeError = { readonly line: number } & Pick<
  ExpressionTypeError,
  'source' | 'operator' | 'found' | 'span'
>;

/** What a task makes of neighbouring records, as plain data. Lines are counted from where these begin. */
export interface ChunkResult<Part> {
  readonly part: Part;
  /** How many records were read, and how many lines they and the broken ones take. */
  readonly records: number;
  readonly lines: number;
  readonly broken: readonly BrokenLine[];
  /** How many records were left out for what they lack. */
  readonly lacking: Readonly<Record<MissingField, number>>;
  /** What ended the work. What follows was not looked at. */
  readonly failure: ChunkTypeError | undefined;
}

/** Does a task on one part of the records after another, in any order: the parts do not know each other. */
export class ChunkProcessor<K extends JobKind> {
  private readonly gatherer: Aggregator<JobParts[K]>;
  private readonly where: Compiled<boolean> | undefined;
  private readonly reader: LineReader;
  private lacking = { time: 0, distinct_id: 0 };

  /** Throws the errors of an expression that cannot be compiled. */
  constructor(private readonly task: Job<K>) {
    this.gatherer = createAggregator(task);
    this.where = task.where === undefined ? undefined : compileWhere(task.where, { now: task.now });
    this.reader = new LineReader(this.names(), this.sieve());
  }

  /** The expressions of the task. */
  get expressions(): Compiled<unknown>[] {
    return [this.gatherer.on, this.where].filter((expression) => expression !== undefined);
  }

  /** Works on lines; up to the first that is broken if the task is strict. */
  onLines(block: LineBlock): ChunkResult<JobParts[K]> {
    const { reader } = this;
    const broken: BrokenLine[] = [];
    let records = 0;
    let failure: ChunkTypeError | undefined;
    reader.open(block);
    for (let found = reader.next(); found !== undefined; found = reader.next()) {
      if ('reason' in found) {
        broken.push(found);
        if (this.task.strict) break;
      } else {
        records++;
        failure = this.judge(found);
        if (failure !== undefined) break;
      }
    }
    return this.answer(records + reader.passedOver, reader.line, broken, failure);
  }

  /** Works on records that have been read. */
  onRecords(records: readonly EventRecord[]): ChunkResult<JobParts[K]> {
    for (const record of records) {
      const failure = this.judge(record);
      if (failure !== undefined) return this.answer(records.length, 0, [], failure);
    }
    return this.answer(records.length, 0, [], undefined);
  }

  private judge(record: EventRecord): ChunkTypeError | undefined {
    const { task, where } = this;
    if (task.event !== undefined && record.event !== task.event) return undefined;
    try {
      if (where !== undefined && !where(record.properties, record.user)) return undefined;
      const lacking = this.gatherer.add(record);
      if (lacking !== undefined) this.lacking[lacking]++;
      return undefined;
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      const { source, operator, found, span } = error;
      return { line: record.line, source, operator, found, span };
    }
  }

  private answer(
    records: number,
    lines: number,
    broken: readonly BrokenLine[],
    failure: ChunkTypeError | undefined,
  ): ChunkResult<JobParts[K]> {
    const { lacking } = this;
    this.lacking = { time: 0, distinct_id: 0 };
    return { part: this.gatherer.take(), records, lines, broken, lacking, failure };
  }

  /** What tells lines that cannot be selected. A strict task reads them all, to find every one that is broken. */
  private sieve(): LinePrefilter | undefined {
    const { where, event, strict } = this.task;
    if (strict) return undefined;
    const traces = where === undefined ? [] : findRequiredStrings(checkTree(where, parse(where), 'where'));
    const named = event === undefined ? [] : [[{ text: event, whole: true }]];
    return traces.length + named.length === 0 ? undefined : new LinePrefilter([...named, ...traces]);
  }

  /** What has to be read of a record; undefined for everything. */
  private names(): string[] | undefined {
    const { names } = this.gatherer;
    if (names === undefined) return undefined;
    const read = this.expressions.flatMap(({ properties }) => properties.map(({ name }) => name));
    return [...read, ...names, ...(this.task.event === undefined ? [] : ['event'])];
  }
}
