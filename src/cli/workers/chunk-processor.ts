import { type Compiled, compileWhere } from '../../api/expressions.ts';
import { ClauseCounter, type CountedClauses } from '../../data/clause-counts.ts';
import type { EventRecord, MissingField } from '../../data/event-record.ts';
import { EVENT_PROPERTY, ROLES } from '../../data/field-mapping.ts';
import { listNamed, Occurrences } from '../../data/occurrences.ts';
import { checkTree } from '../../lang/check/check.ts';
import { findRequiredStrings, type RequiredStrings } from '../../lang/check/required-strings.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';
import { findTimeZone } from '../../lang/operators/time-zone.ts';
import { parse } from '../../lang/syntax/parse.ts';
import { parseDecimal } from '../../lang/value.ts';
import { LinePrefilter } from '../input/line-prefilter.ts';
import { type BrokenLine, LineReader } from '../input/line-reader.ts';
import type { LineBlock } from '../input/split-line-blocks.ts';
import type { Aggregator, MakeAggregator } from './aggregator.ts';
import { type Job, type JobKind, type JobParts, toQuestion } from './job.ts';
import { createRecordReader, readsWhole } from './record-reader.ts';

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
  /** The keys of the named things that this processor met for the first time; see `Occurrences`. */
  readonly occurred: readonly string[];
  /** The counts of the clauses of the filter, of a job that asks for them. */
  readonly clauses: CountedClauses | undefined;
  /** The number of records that cannot match. Their properties were not read. */
  readonly skipped: number;
  /** The error that stopped the work. The records after it were not read. */
  readonly failure: ChunkTypeError | undefined;
}

/** Runs a job on chunks of records, in any order. Chunks are independent of each other. */
export class ChunkProcessor<K extends JobKind> {
  private readonly aggregator: Aggregator<JobParts[K]>;
  private readonly where: Compiled<boolean> | undefined;
  private readonly reader: LineReader;
  private readonly readFields: (record: EventRecord) => EventRecord;
  private readonly occurrences: Occurrences;
  private readonly clauses: ClauseCounter | undefined;
  private lacking = { time: 0, distinct_id: 0 };

  /** Throws if an expression does not compile. */
  constructor(
    private readonly job: Job<K>,
    make: MakeAggregator<K>,
  ) {
    this.aggregator = make(job);
    this.where =
      job.where === undefined ? undefined : compileWhere(job.where, { now: job.now, timeZone: job.timeZone ?? 'UTC' });
    this.clauses = createClauseCounter(job as Job);
    this.readFields = createRecordReader(job as Job, this.readsEventName);
    this.occurrences = new Occurrences(listNamed(toQuestion(job as Job)));
    this.reader = new LineReader(this.listNames(), this.createPrefilter());
  }

  /** The compiled expressions of the job. */
  get expressions(): Compiled<unknown>[] {
    return [...(this.aggregator.expressions ?? []), ...(this.where === undefined ? [] : [this.where])];
  }

  /** The names of the properties that the expressions read. */
  get propertyNames(): string[] {
    return this.expressions.flatMap(({ properties }) => properties.map(({ name }) => name));
  }

  /** Whether an expression reads the name of the event. */
  get readsEventName(): boolean {
    return this.aggregator.readsEventName ?? this.propertyNames.includes(EVENT_PROPERTY);
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
    return { ...this.createResult(records + reader.skipped, reader.line, broken, failure), skipped: reader.skipped };
  }

  /** Processes parsed records. */
  processRecords(records: readonly EventRecord[]): ChunkResult<JobParts[K]> {
    for (const record of records) {
      const failure = this.process(record);
      if (failure !== undefined) return this.createResult(records.length, 0, [], failure);
    }
    return this.createResult(records.length, 0, [], undefined);
  }

  private process(found: EventRecord): ChunkTypeError | undefined {
    const { job, where, occurrences } = this;
    const record = this.readFields(found);
    if (!occurrences.areComplete) occurrences.add(record);
    if (job.event !== undefined && record.event !== job.event) return undefined;
    this.clauses?.add(record.properties, record.user);
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
    const [part, occurred, clauses] = [this.aggregator.take(), this.occurrences.take(), this.clauses?.take()];
    return { part, records, lines, broken, lacking, failure, occurred, clauses, skipped: 0 };
  }

  /** Returns the line prefilter; none to count clauses, because every record must be read for that. */
  private createPrefilter(): LinePrefilter | undefined {
    if (this.job.explain) return undefined;
    const required = [...this.requireEvent(), ...this.requireStrings()];
    return required.length === 0 ? undefined : new LinePrefilter(required);
  }

  /** Lines contain the name of their event, unless a column of codes may hold it as a number. */
  private requireEvent(): RequiredStrings[] {
    const { event, fields } = this.job;
    if (event === undefined) return [];
    return fields?.event !== undefined && parseDecimal(event) !== undefined ? [] : [[{ text: event, whole: true }]];
  }

  /** Lines contain the names of properties, unless these are made from other parts of the record. */
  private requireStrings(): readonly RequiredStrings[] {
    const { where } = this.job;
    if (where === undefined || readsWhole(this.job as Job) || this.readsEventName) return [];
    return findRequiredStrings(checkTree(where, parse(where), 'where'));
  }

  /** Returns the names of the properties to read; undefined for all. */
  private listNames(): string[] | undefined {
    const { names } = this.aggregator;
    const { event, fields = {} } = this.job;
    if (names === undefined || readsWhole(this.job as Job)) return undefined;
    const columns = ROLES.flatMap((role) => fields[role]?.column ?? []);
    const readsEvent = event !== undefined || this.readsEventName;
    return [...this.propertyNames, ...names, ...columns, ...(readsEvent ? ['event'] : [])];
  }
}

/** Creates the counter of a job that asks for one. Without a filter, it counts the records of the event. */
export function createClauseCounter({
  explain,
  where = 'true',
  now,
  timeZone = 'UTC',
}: Job): ClauseCounter | undefined {
  return explain ? new ClauseCounter(where, now, findTimeZone(timeZone)) : undefined;
}
