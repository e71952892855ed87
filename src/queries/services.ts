import type { Access } from './access.ts';
import type { AnswerStream, OpenAnswer } from './answer-stream.ts';
import type { ExportRequest } from './export-span.ts';
import type { Funnel } from './funnel-content.ts';
import type { PeopleRequest, PeopleResult } from './people.ts';
import type { QueryJob, QueryName } from './requests.ts';

/** Limits a query to one dataset or version of a project. */
export interface DatasetFilter {
  readonly datasetId?: string;
  /** A readable version, live or not. */
  readonly versionId?: string;
}

/** The data that a request reads, for whom and for how long. */
export interface RequestTarget {
  readonly access: Access;
  readonly filter: DatasetFilter;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

/** A description of a moment in time. */
export interface Note {
  /** `yyyy-mm-dd HH:MM:SS`, in the time zone of the reader. */
  readonly date: string;
  readonly description: string;
}

/** An annotation of a project. */
export interface Annotation extends Note {
  readonly id: number;
}

/** An inclusive range of days, `yyyy-mm-dd`. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A dataset and its versions, newest first. */
interface ListedDataset {
  readonly datasetId: string;
  readonly versions: readonly {
    readonly version_id: string;
    readonly created_at: string;
    readonly is_live: boolean;
  }[];
}

/**
 * Those who answer the requests of endpoints: a server, or the page for a file. They throw a {@link ServiceError} for what
 * they refuse, and a {@link QueryError} for an invalid query.
 */
export interface Services {
  /** Returns the answer of a query. */
  ask<Name extends QueryName>(target: RequestTarget, job: QueryJob<Name>): Promise<string | OpenAnswer>;
  /** Returns raw events as NDJSON. */
  exportEvents(target: RequestTarget, request: ExportRequest): Promise<string | AnswerStream>;
  /** Returns a page of people. */
  listPeople(target: RequestTarget, request: PeopleRequest): Promise<PeopleResult>;
  listDatasets(access: Access): Promise<readonly ListedDataset[]>;
  readonly annotations: AnnotationService;
  readonly funnels: FunnelService;
}

/** The annotations of projects, by name. */
export interface AnnotationService {
  list(project: string, days: Days): Promise<Annotation[]>;
  create(project: string, note: Note): Promise<Annotation>;
  /** Returns whether the annotation exists. */
  update(project: string, id: number, note: Note): Promise<boolean>;
  /** Returns whether the annotation existed. */
  remove(project: string, id: number): Promise<boolean>;
}

/** The saved funnels of projects, by name. */
export interface FunnelService {
  list(project: string): Promise<readonly Funnel[]>;
  find(project: string, id: number): Promise<Funnel | undefined>;
}

/** The context of a request. */
export interface RequestContext {
  readonly access: Access;
  readonly services: Services;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}
