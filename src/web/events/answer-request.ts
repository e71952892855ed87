import { check } from '../../api/expressions.ts';
import { getCurrentTime } from '../../base/current-time.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { listNamedInRequest } from '../../queries/absent-names.ts';
import { createFullAccess } from '../../queries/access.ts';
import { PAGE_SIZE } from '../../queries/answer-limits.ts';
import { readAnswer } from '../../queries/answer-stream.ts';
import { answerEndpoint } from '../../queries/endpoints/answer-endpoint.ts';
import { HttpError } from '../../queries/http-error.ts';
import { exportEvents } from '../../queries/in-memory/export.ts';
import type { MemoryContext } from '../../queries/in-memory/memory-events.ts';
import { MemoryQueries } from '../../queries/in-memory/memory-queries.ts';
import { listPeople } from '../../queries/in-memory/people.ts';
import type { Queries } from '../../queries/requests.ts';
import type { DatasetFilter, Services } from '../../queries/services.ts';
import type { RequestParameters } from '../shared/query-api.ts';
import type { MemoryRecords } from './memory-records.ts';
import type { RequestAnswer } from './messages.ts';

/** A request, and the time zone of the file. */
interface AskedRequest {
  readonly path: string;
  readonly parameters: RequestParameters;
  readonly timeZone: string;
}

type ReadRecords = Pick<MemoryRecords, 'events' | 'people'>;

/** Answers a request like the server of a project with these records. */
export async function answerRequest(
  records: ReadRecords,
  { path, parameters, timeZone }: AskedRequest,
): Promise<RequestAnswer> {
  const given = Object.fromEntries(parameters);
  const now = isRelative(path, given) ? getLastTime(records) : getCurrentTime();
  const services = createMemoryServices({ ...records, timeZone, now });
  // A file has no secrets.
  const access = createFullAccess({ id: 1, name: 'file', token: '', timeZone }, 'page');
  try {
    const { text } = await answerEndpoint(services, access, `/${path}`, given, new AbortController().signal);
    return { json: await readAnswer(text) };
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, message: error.message };
    return { status: 500, message: `The query of the file failed: ${error}` };
  }
}

/** Returns whether a query covers the days up to today. For a file, today is the day of its last event. */
function isRelative(path: string, given: Readonly<Record<string, string>>): boolean {
  return (
    path === 'events/top' || path === 'events/names' || (given.interval !== undefined && given.from_date === undefined)
  );
}

function getLastTime({ events }: ReadRecords): number {
  return events.reduce((last, { time }) => Math.max(last, time), 0);
}

/** Adds the name of each event as a property if the request reads it, as commands that read files do. */
function addNames(context: MemoryContext, request: object): MemoryContext {
  const read = listNamedInRequest(request).sources.flatMap((source) => check(source).properties);
  if (!read.some(({ name }) => name === EVENT_PROPERTY)) return context;
  return {
    ...context,
    events: context.events.map((each) => {
      const { event, properties } = each;
      return Object.hasOwn(properties, EVENT_PROPERTY)
        ? each
        : { ...each, properties: { ...properties, [EVENT_PROPERTY]: event } };
    }),
  };
}

function createMemoryServices(records: MemoryContext): Services {
  // The queries for warnings follow that of the answer and must see the names too.
  let context = records;
  return {
    async ask({ filter }, { name, request, write }) {
      assertWholeFile(filter);
      context = addNames(context, request);
      const queries: Queries = new MemoryQueries(context);
      const query = queries[name] as (request: object) => Promise<never>;
      return [...write(await query(request))].join('');
    },
    async exportEvents({ filter }, request) {
      assertWholeFile(filter);
      return exportEvents(addNames(context, request), request);
    },
    async listPeople({ filter }, { page, ...selection }) {
      assertWholeFile(filter);
      const found = listPeople(context, selection);
      const results = found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map(({ distinctId, properties }) => {
        return { $distinct_id: distinctId, $properties: properties };
      });
      return { page, pageSize: PAGE_SIZE, results, sessionId: 'file', total: found.length };
    },
    listDatasets: async () => [],
    funnels: { list: async () => [], find: async () => undefined },
    annotations: { list: async () => [], create: refuse, update: refuse, remove: refuse },
  };
}

function assertWholeFile({ datasetId, versionId }: DatasetFilter): void {
  if ((datasetId ?? versionId) !== undefined) refuse();
}

function refuse(): never {
  throw new HttpError(404, 'A file has no datasets and no annotations.');
}
