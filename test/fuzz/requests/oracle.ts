import { tmpdir } from 'node:os';
import { DeskError } from '../../../src/analytics/desk-error.ts';
import type { Queries } from '../../../src/analytics/queries.ts';
import { QueryDesk } from '../../../src/analytics/query-desk.ts';
import { QueryError } from '../../../src/analytics/query-error.ts';
import { wholeAnswer } from '../../../src/analytics/stored-answer.ts';
import { compileWhere } from '../../../src/api.ts';
import { fullAccess } from '../../../src/datasets/access.ts';
import type { Annotation } from '../../../src/datasets/annotations.ts';
import type { Narrowing } from '../../../src/datasets/datasets.ts';
import { ServiceError } from '../../../src/datasets/service-error.ts';
import { ExpressionError } from '../../../src/language/errors.ts';
import { compareText } from '../../../src/language/value.ts';
import { answerEndpoint } from '../../../src/server/endpoints/answer-endpoint.ts';
import type { Services } from '../../../src/server/endpoints/services.ts';
import { EXPORT_PREFIX } from '../../../src/server/export-answers.ts';
import { Refusal } from '../../../src/server/refusal.ts';
import type { Reading } from '../../../src/store/reading.ts';
import type { JsonObject } from '../../../src/util/json-object.ts';
import { Calendar } from '../../analytics/reference/calendar.ts';
import type { ReferenceVersion } from '../../analytics/reference/occurrence.ts';
import { Reference } from '../../analytics/reference.ts';
import type { Target } from './target.ts';

/** What a server should answer: a text, or a refusal. */
export type Expected =
  | { readonly type: string; readonly text: string }
  | { readonly status: number; readonly error: string };

/** How many numbers a series may have for the reference to be asked. */
const MOST_NUMBERS = 3_000;

const PER_DAY: Readonly<Record<string, number>> = { minute: 1_440, hour: 24 };
const DAYS: Readonly<Record<string, number>> = { minute: 1 / 1_440, hour: 1 / 24, week: 7, month: 31 };
const DAY_MS = 86_400_000;

/** An answer that would take the reference too long. */
class TooMuch extends Error {}

/** What the endpoints answer over the plain reference, for one project. It knows the annotations that were made through it. */
export class Oracle {
  private now = 0;
  private readonly calendar: Calendar;
  private readonly annotations = new Map<number, Annotation>();
  private lastId = 0;
  private readonly services: Services;

  constructor(private readonly target: Target) {
    this.calendar = new Calendar(target.project.timeZone);
    const limits = { atOnce: 1, waiting: 0, seconds: 1_000, cacheBytes: 0, cacheFileBytes: 0 };
    this.services = {
      datasets: {
        stateOf: async (_, narrowing) => String(this.narrowed(narrowing).length),
        read: async (_, narrowing, work) => work({ narrowing } as unknown as Reading),
      },
      desk: new QueryDesk(
        limits,
        tmpdir(),
        ({ reading }) => this.queries((reading as unknown as { readonly narrowing: Narrowing }).narrowing),
        () => this.now,
      ),
      funnels: {
        list: async () => [...target.funnels],
        find: async (_, id) => target.funnels.find((funnel) => funnel.id === id),
      },
      people: { page: async (_, narrowing, request) => this.people(narrowing, request) },
      annotations: this.annotationService(),
    };
  }

  /** The answer at a moment, in Unix seconds; undefined where it takes too long to work out. */
  async expect(path: string, parameters: JsonObject, now: number): Promise<Expected | undefined> {
    this.now = now;
    const { services, target } = this;
    const own = path.slice(EXPORT_PREFIX.length);
    try {
      const access = fullAccess(target.project, 'reference');
      const answer = await answerEndpoint(services, access, own, parameters, new AbortController().signal);
      return { type: answer.type, text: await wholeAnswer(answer.text) };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, error: error.message };
      if (error instanceof TooMuch || error instanceof DeskError || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private narrowed({ datasetId, versionId }: Narrowing): ReferenceVersion[] {
    const { datasets, versions } = this.target;
    // Every project has these two, though perhaps nothing in them.
    const ids = datasetId === undefined ? [...datasets.keys()] : ['first', 'second'].filter((id) => id === datasetId);
    if (datasetId !== undefined && ids.length === 0) throw new ServiceError(404, 'No dataset', { missing: 'dataset' });
    const read = versionId === undefined ? ids : ids.filter((id) => versions.get(id) === versionId);
    if (versionId !== undefined && read.length === 0) throw new ServiceError(404, 'No version', { missing: 'version' });
    return read.flatMap((id) => datasets.get(id) ?? []);
  }

  private queries(narrowing: Narrowing): Queries {
    const { timeZone } = this.target.project;
    const reference = new Reference({ versions: this.narrowed(narrowing), timeZone, now: this.now }, this.calendar);
    return new Proxy(reference, {
      get(queries, name) {
        const query = Reflect.get(queries, name);
        if (typeof query !== 'function') return query;
        return (request: JsonObject) => {
          if (numbersOf(request) > MOST_NUMBERS) throw new TooMuch();
          return query.call(queries, request);
        };
      },
    });
  }

  private people(narrowing: Narrowing, request: Parameters<Services['people']['page']>[2]) {
    const { page, sessionId, where } = request;
    if (sessionId !== undefined) throw new QueryError('parameter', 'No session', ['session_id']);
    const versions = this.narrowed(narrowing);
    const all = versions.flatMap(({ people }) => people);
    try {
      const selects = where === undefined ? () => true : compileWhere(where, { now: this.now });
      const found = all.filter(({ properties }) => selects(properties, properties));
      const ordered = found.sort((left, right) => compareText(left.distinctId, right.distinctId));
      const results = ordered.map(({ distinctId, properties }) => ({
        $distinct_id: distinctId,
        $properties: properties,
      }));
      return { page, pageSize: 1_000, results, sessionId: 'a session', total: results.length };
    } catch (error) {
      throw error instanceof ExpressionError ? new QueryError('selector', error.message) : error;
    }
  }

  private annotationService(): Services['annotations'] {
    const { annotations } = this;
    return {
      list: async (_, { from = '', to = '9999-99-99' } = {}) =>
        [...annotations.values()]
          .filter(({ date }) => date.slice(0, 10) >= from && date.slice(0, 10) <= to)
          .sort((left, right) => compareText(left.date, right.date) || left.id - right.id),
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

/** About how many numbers a series of the answer has. */
function numbersOf(request: JsonObject): number {
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
