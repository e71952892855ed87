import { tmpdir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { compileWhere } from '../../../src/api/expressions.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { escapeUnprintable } from '../../../src/base/strings.ts';
import { ExpressionError } from '../../../src/lang/errors.ts';
import { compareStrings } from '../../../src/lang/value.ts';
import type { Access } from '../../../src/queries/access.ts';
import { PAGE_SIZE } from '../../../src/queries/answer-limits.ts';
import { readAnswer } from '../../../src/queries/answer-stream.ts';
import { answerEndpoint } from '../../../src/queries/endpoints/answer-endpoint.ts';
import { QueryError } from '../../../src/queries/errors.ts';
import type { ExportRequest } from '../../../src/queries/export-span.ts';
import { HttpError } from '../../../src/queries/http-error.ts';
import type { PeopleRequest, PeopleResult, PeopleSelection } from '../../../src/queries/people.ts';
import type { Queries } from '../../../src/queries/requests.ts';
import { ServiceError } from '../../../src/queries/service-error.ts';
import type { Annotation, DatasetFilter, Services } from '../../../src/queries/services.ts';
import { QueryExecutor } from '../../../src/service/analytics/execution/query-executor.ts';
import { QUERY_PREFIX } from '../../../src/service/server/responses/query-answers.ts';
import { createEndpointServices } from '../../../src/service/server/routes/endpoint-services.ts';
import type { StoredPerson } from '../../../src/service/store/store.ts';
import type { StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';
import { allowedBy } from '../../service/analytics/reference/allowed.ts';
import { Calendar } from '../../service/analytics/reference/calendar.ts';
import { exportLines } from '../../service/analytics/reference/export.ts';
import type { ReferenceVersion } from '../../service/analytics/reference/occurrence.ts';
import { Reference } from '../../service/analytics/reference.ts';
import type { Written } from './exchange.ts';
import type { Operation } from './operation.ts';
import type { Target } from './target.ts';

/** The expected response: a body, or an error. */
export type Expected =
  | { readonly type: string; readonly text: string }
  | { readonly status: number; readonly error: string };

/** The maximum number of values in a series that the reference computes. */
const MAX_NUMBERS = 3_000;

const PER_DAY: Readonly<Record<string, number>> = { minute: 1_440, hour: 24 };
const DAYS: Readonly<Record<string, number>> = { minute: 1 / 1_440, hour: 1 / 24, week: 7, month: 31 };
const DAY_MS = 86_400_000;

/** Thrown for a request that would take the reference too long. */
class TooExpensive extends Error {}

/** A request to compute the expected response for. */
export interface OracleQuery {
  readonly operation: Operation;
  readonly access: Access;
  readonly written: Pick<Written, 'repeated'> & { readonly parameters: JsonObject };
  /** The session ID in the server's response, if it is about people. */
  readonly sessionId: string | undefined;
}

/** A session of people, read page by page. */
interface PeopleSession {
  readonly id: string;
  readonly access: Access;
  readonly where: string | undefined;
  readonly distinctIds: readonly string[] | undefined;
  readonly narrowing: DatasetFilter;
  readonly people: readonly StoredPerson[];
}

/**
 * Computes the expected responses of the endpoints for one project with the plain reference. It keeps the annotations
 * that requests create, and the last session of people.
 */
export class Oracle {
  private now = 0;
  private readonly calendar: Calendar;
  private readonly annotations = new Map<number, Annotation>();
  private lastId = 0;
  private session: PeopleSession | undefined;
  /** The server's ID for the session that the next response starts. */
  private nextSessionId: string | undefined;
  private readonly services: Services;

  constructor(private readonly target: Target) {
    this.calendar = new Calendar(target.project.timeZone);
    const limits = { atOnce: 1, waiting: 0, seconds: 1_000, cacheBytes: 0, cacheFileBytes: 0 };
    this.services = createEndpointServices({
      datasets: {
        // Versions have times that only the server knows: these answers are not compared.
        list: async () => [],
        stateOf: async (access, narrowing) => String(this.selectVersions(access, narrowing).length),
        versionsOf: async (access, narrowing) => String(this.selectVersions(access, narrowing).length),
        read: async (access, narrowing, work) =>
          work(this.selectVersions(access, narrowing) as unknown as StoreSnapshot),
      },
      executor: new QueryExecutor(
        limits,
        tmpdir(),
        ({ snapshot }) => this.createQueries(snapshot as unknown as readonly ReferenceVersion[]),
        () => this.now,
      ),
      exports: {
        open: async (query, request) => {
          await query.state();
          return (await query.read(async (reading) => this.exportLines(reading, request), {})).join('');
        },
      },
      funnels: {
        list: async () => [...target.funnels],
        find: async (_, id) => target.funnels.find((funnel) => funnel.id === id),
      },
      people: { page: async (access, narrowing, request) => this.getPeoplePage(access, narrowing, request) },
      annotations: this.createAnnotationService(),
    });
  }

  /** The ID of the session of people that the last response started or continued. */
  get lastSessionId(): string | undefined {
    return this.session?.id;
  }

  /** Returns the expected response at a time in Unix seconds; undefined if it takes too long to compute. */
  async expect(query: OracleQuery, now: number): Promise<Expected | undefined> {
    const { operation, access, written, sessionId } = query;
    this.now = now;
    this.nextSessionId = sessionId;
    const path = operation.path.slice(QUERY_PREFIX.length);
    try {
      const wrong = findWrongName(query);
      if (wrong !== undefined)
        return { status: 400, error: `Invalid parameter: ${escapeUnprintable(wrong.slice(0, 50))}` };
      const answer = await answerEndpoint(
        this.services,
        access,
        path,
        written.parameters,
        new AbortController().signal,
      );
      return { type: answer.type, text: await readAnswer(answer.text) };
    } catch (error) {
      if (error instanceof HttpError || error instanceof ServiceError)
        return { status: error.status, error: error.message };
      if (error instanceof TooExpensive || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** Returns the versions that a request reads, with only the records that its key may see. */
  private selectVersions(
    access: Access,
    { datasetId = access.datasetId, versionId }: DatasetFilter,
  ): ReferenceVersion[] {
    const { datasetIds, datasets, versions } = this.target;
    if (access.datasetId !== undefined && datasetId !== access.datasetId)
      throw new ServiceError(401, 'This secret opens another dataset.');
    const ids = datasetIds.filter((id) => datasetId === undefined || id === datasetId);
    if (ids.length === 0) throw new ServiceError(404, 'No dataset', { missing: 'dataset' });
    const read = versionId === undefined ? ids : ids.filter((id) => versions.get(id) === versionId);
    if (read.length === 0) throw new ServiceError(404, 'No version', { missing: 'version' });
    const found = read.flatMap((id) => datasets.get(id) ?? []);
    const { where } = access;
    return where === undefined
      ? found
      : found.map((version) => allowedBy(where, version, { now: this.now, timeZone: access.project.timeZone }));
  }

  private createReference(versions: readonly ReferenceVersion[]): Reference {
    const { timeZone } = this.target.project;
    return new Reference({ versions, timeZone, now: this.now }, this.calendar);
  }

  private exportLines(reading: StoreSnapshot, request: ExportRequest): readonly string[] {
    return exportLines(this.createReference(reading as unknown as readonly ReferenceVersion[]), request);
  }

  private createQueries(versions: readonly ReferenceVersion[]): Queries {
    return new Proxy(this.createReference(versions), {
      get(queries, name) {
        const query = Reflect.get(queries, name);
        if (typeof query !== 'function') return query;
        return (request: JsonObject) => {
          if (estimateNumbers(request) > MAX_NUMBERS) throw new TooExpensive();
          return query.call(queries, request);
        };
      },
    });
  }

  private getPeoplePage(access: Access, narrowing: DatasetFilter, request: PeopleRequest): PeopleResult {
    const { page, sessionId } = request;
    const session = sessionId === undefined ? this.startSession(access, narrowing, request) : this.session;
    if (
      session === undefined ||
      (sessionId !== undefined && sessionId !== session.id) ||
      !haveSameView(access, session.access)
    )
      throw new QueryError('parameter', 'No session', ['session_id']);
    const others = [
      ['where', request.where, session.where],
      ['distinct_ids', request.distinctIds, session.distinctIds],
      ['dataset_id', narrowing.datasetId, session.narrowing.datasetId],
      ['dataset_version', narrowing.versionId, session.narrowing.versionId],
    ] as const;
    for (const [name, given, own] of others)
      if (given !== undefined && !isDeepStrictEqual(given, own))
        throw new QueryError('parameter', 'Another session', [name]);
    const shown = session.people.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
    const results = shown.map(({ distinctId, properties }) => ({ $distinct_id: distinctId, $properties: properties }));
    return { page, pageSize: PAGE_SIZE, results, sessionId: session.id, total: session.people.length };
  }

  private startSession(
    access: Access,
    narrowing: DatasetFilter,
    { where, distinctIds }: PeopleSelection,
  ): PeopleSession {
    this.session = undefined;
    const all = this.selectVersions(access, narrowing).flatMap(({ people }) => people);
    try {
      const selects =
        where === undefined ? () => true : compileWhere(where, { now: this.now, timeZone: access.project.timeZone });
      const wanted = all.filter(({ distinctId }) => distinctIds?.includes(distinctId) !== false);
      const found = wanted.filter(({ properties }) => selects(properties, properties));
      const people = found.sort((left, right) => compareStrings(left.distinctId, right.distinctId));
      const session = { id: this.nextSessionId ?? 'a session', access, where, distinctIds, narrowing, people };
      if (this.nextSessionId !== undefined) this.session = session;
      return session;
    } catch (error) {
      throw error instanceof ExpressionError ? new QueryError('selector', error.message) : error;
    }
  }

  private createAnnotationService(): Services['annotations'] {
    const { annotations } = this;
    return {
      list: async (_, { from = '', to = '9999-99-99' } = {}) =>
        [...annotations.values()]
          .filter(({ date }) => date.slice(0, 10) >= from && date.slice(0, 10) <= to)
          .sort((left, right) => compareStrings(left.date, right.date) || left.id - right.id),
      create: async (_, note) => {
        const annotation = { id: ++this.lastId, ...note };
        annotations.set(annotation.id, annotation);
        return annotation;
      },
      update: async (_, id, note) => annotations.has(id) && annotations.set(id, { id, ...note }) !== undefined,
      remove: async (_, id) => annotations.delete(id),
    };
  }
}

function haveSameView(one: Access, other: Access): boolean {
  return one.datasetId === other.datasetId && one.where === other.where;
}

/** Returns the first name that a request must not have, or has too often. */
function findWrongName({ operation, access, written }: OracleQuery): string | undefined {
  const { repeated, parameters } = written;
  const isDeclared = (name: string) => operation.parameters.some((declared) => declared.name === name);
  const names = Object.keys(parameters);
  const [twice = names.find((name) => repeated.query.includes(name) && isDeclared(name))] = repeated.form;
  if (twice !== undefined || access.isSigned !== true) return twice;
  return names.find((name) => !isDeclared(name) && !['api_key', 'expire', 'sig'].includes(name));
}

/** Estimates the number of values in a series of the response. */
function estimateNumbers(request: JsonObject): number {
  const { dates, period, unit, bucket, intervalCount, buckets } = request as Readonly<Record<string, never>>;
  const { from, to, latest = 0 } = (dates ?? period ?? {}) as { from?: string; to?: string; latest?: number };
  const of: string = unit ?? (bucket as { unit?: string } | undefined)?.unit ?? 'day';
  const days =
    from === undefined || to === undefined
      ? latest * (DAYS[of] ?? 1)
      : (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const each = (intervalCount ?? 0) + 1 + (buckets ?? 0);
  return Math.max(days, days * (PER_DAY[of] ?? 1)) * each;
}
