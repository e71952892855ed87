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

/** The partial result of consecutive records, as plain data. Line numbers count from the first record. */
export interface ChunkResult<Part> {
  readonly part: Part;
  /** The number of records, and of lines including broken ones. */
  readonly records: number;
  readonly lines: number;
  readonly broken: readonly BrokenLine[];
  /** The number of skipped records by the field that they lack. */
  readonly lacking: Readonly<Record<MissingField, number>>;
  /** The error that stopped the work. The records after it were not read. */
  readonly failure: ChunkTypeError | undefined;
}

/** Runs a job on chunks of records, in any order. Chunks are independent of each other. */
export class ChunkProcessor<K extends JobKind> {
  private readonly aggregator: Aggregator<JobParts[K]>;
  private readonly where: Compiled<boolean> | undefined;
  private readonly reader: LineReader;
  private lacking = { time: 0, distinct_id: 0 };

  /** Throws if an expression does not compile. */
  constructor(private readonly job: Job<K>) {
    this.aggregator = createAggregator(job);
    this.where = job.where === undefined ? undefined : compileWhere(job.where, { now: job.now });
    this.reader = new LineReader(this.listNames(), this.createPrefilter());
  }

  /** The compiled expressions of the job. */
  get expressions(): Compiled<unknown>[] {
    return [this.aggregator.on, this.where].filter((expression) => expression !== undefined);
  }

  /** Processes lines. A strict job stops at the first broken line. */
  processLines(block: LineBlock): ChunkResult<JobParts[K]> {
    const { reader } = this;
    const broken: BrokenLine[] = [];
    let records = 0;
    let failure: ChunkTypeError | undefined;
    reader.open(block);
    for (let found = reader.next(); found !== undefined; found = reader.next()) {
      if ('reason' in found) {
        broken.push(found);
        if (this.job.strict) break;
      } else {
        records++;
        failure = this.process(found);
        if (failure !== undefined) break;
      }
    }
    return this.createResult(records + reader.skipped, reader.line, broken, failure);
  }

  /** Processes parsed records. */
  processRecords(records: readonly EventRecord[]): ChunkResult<JobParts[K]> {
    for (const record of records) {
      const failure = this.process(record);
      if (failure !== undefined) return this.createResult(records.length, 0, [], failure);
    }
    return this.createResult(records.length, 0, [], undefined);
  }

  private process(record: EventRecord): ChunkTypeError | undefined {
    const { job, where } = this;
    if (job.event !== undefined && record.event !== job.event) return undefined;
    try {
      if (where !== undefined && !where(record.properties, record.user)) return undefined;
      const lacking = this.aggregator.add(record);
      if (lacking !== undefined) this.lacking[lacking]++;
      return undefined;
    } catch (error) {
      if (!(error instanceof ExpressionTypeError)) throw error;
      const { source, operator, found, span } = error;
      return { line: record.line, source, operator, found, span };
    }
  }

  private createResult(
    records: number,
    lines: number,
    broken: readonly BrokenLine[],
    failure: ChunkTypeError | undefined,
  ): ChunkResult<JobParts[K]> {
    const { lacking } = this;
    this.lacking = { time: 0, distinct_id: 0 };
    return { part: this.aggregator.take(), records, lines, broken, lacking, failure };
  }

  /** Returns the line prefilter; none in strict mode, because every line must be parsed to find broken ones. */
  private createPrefilter(): LinePrefilter | undefined {
    const { where, event, strict } = this.job;
    if (strict) return undefined;
    const required = where === undefined ? [] : findRequiredStrings(checkTree(where, parse(where), 'where'));
    const named = event === undefined ? [] : [[{ text: event, whole: true }]];
    return required.length + named.length === 0 ? undefined : new LinePrefilter([...named, ...required]);
  }

  /** Returns the names of the properties to read; undefined for all. */
  private listNames(): string[] | undefined {
    const { names } = this.aggregator;
    if (names === undefined) return undefined;
    const read = this.expressions.flatMap(({ properties }) => properties.map(({ name }) => name));
    return [...read, ...names, ...(this.job.event === undefined ? [] : ['event'])];
  }
}
