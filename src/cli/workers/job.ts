import type { TimeUnit } from '../../data/buckets.ts';
import type { FieldMapping } from '../../data/field-mapping.ts';
import type { FormatOptions } from '../../data/file-format.ts';
import type { Question } from '../../data/occurrences.ts';
import type { CountedSegments } from '../../data/segmentation.ts';
import type { Counted } from '../../data/tally.ts';
import type { Properties } from '../../lang/value.ts';
import type { FieldOptions } from '../choose-fields.ts';
import type { RecordCensusPart } from './census-collector.ts';
import type { DiffPart } from './diff-counter.ts';

/** The records that a command selects, and how to read them. */
export interface Selection extends FieldOptions, FormatOptions {
  /** Only records that match this filter. */
  readonly where?: string;
  /** Only events with this name. */
  readonly event?: string;
  /** The time of the query, in Unix seconds. */
  readonly now: number;
  /** The time zone of days, and of dates in expressions. Default: UTC. */
  readonly timeZone?: string;
  /** Fail at the first broken line. */
  readonly strict?: boolean;
  /** Count how many records each clause of `where` removes. */
  readonly explain?: boolean;
  /** The columns for time, user and event. Chosen by the options above and the first records. */
  readonly fields?: FieldMapping;
  /** The profiles that `user` reads, by the ids of users; undefined if it reads those of records. */
  readonly profiles?: ReadonlyMap<string, Properties>;
}

/** The parameters of each kind of job. */
interface JobParameters {
  readonly lines: unknown;
  readonly count: { readonly unique: boolean };
  readonly segment: { readonly on: string; readonly unique: boolean; readonly unit: TimeUnit | undefined };
  readonly numbers: { readonly on: string };
  readonly describe: { readonly countsValues: boolean };
  readonly match: { readonly filters: readonly StoredFilter[]; readonly lists: boolean };
  readonly diff: { readonly old: string; readonly new: string };
}

/** A filter of a file of filters. */
export interface StoredFilter {
  readonly id: string;
  readonly where: string;
}

/** The matches of filters. Filters are indexes. */
export interface MatchPart {
  readonly counts: ReadonlyMap<number, number>;
  readonly failures: ReadonlyMap<number, FilterFailures>;
  /** A line of JSON for each record that a filter matches, if the job lists them. */
  readonly lines: string;
}

/** The records for which a filter raised a type error. */
export interface FilterFailures {
  readonly count: number;
  /** The message of the first error. */
  readonly message: string;
}

/** The partial results of each kind of job. */
export interface JobParts {
  /** The unchanged records, one per line. */
  readonly lines: string;
  readonly count: Counted;
  readonly segment: CountedSegments;
  /** The value for each record. */
  readonly numbers: readonly number[];
  readonly describe: RecordCensusPart;
  readonly match: MatchPart;
  readonly diff: DiffPart;
}

export type JobKind = keyof JobParameters;

/** Work on records, as plain data that can be sent to any thread. */
export type Job<K extends JobKind = JobKind> = {
  [Each in K]: Selection & { readonly kind: Each } & JobParameters[Each];
}[K];

/** Returns whether a job uses the time, the user or the event of records, or lists their properties. */
export function usesFields(job: Job): boolean {
  if (job.event !== undefined || job.kind === 'describe' || job.kind === 'diff') return true;
  if (job.kind === 'count') return job.unique;
  return job.kind === 'segment' && (job.unique || job.unit !== undefined);
}

/** Returns the expressions of a job, with those of many filters. */
export function listSources(job: Job): string[] {
  return job.kind === 'match'
    ? [...listNamedSources(job), ...job.filters.map(({ where }) => where)]
    : listNamedSources(job);
}

/** Returns the expressions whose names and values are looked for among the records. */
function listNamedSources(job: Job): string[] {
  const own = job.kind === 'diff' ? [job.old, job.new] : ['on' in job ? job.on : undefined];
  return [job.where, ...own].filter((source) => source !== undefined);
}

/** Returns what a job asks of records. */
export function toQuestion(job: Job): Question {
  const number = job.kind === 'numbers' ? job.on : undefined;
  return { sources: listNamedSources(job), event: job.event, number, now: job.now };
}
