import { check } from '../../api/expressions.ts';
import { getCurrentTime } from '../../base/current-time.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { listNamedInRequest } from '../../service/analytics/absent-names.ts';
import { PAGE_SIZE } from '../../service/analytics/answer-limits.ts';
import { exportEvents } from '../../service/analytics/in-memory/export.ts';
import type { MemoryContext } from '../../service/analytics/in-memory/memory-events.ts';
import { MemoryQueries } from '../../service/analytics/in-memory/memory-queries.ts';
import { listPeople } from '../../service/analytics/in-memory/people.ts';
import { readAnswer } from '../../service/analytics/open-answer.ts';
import type { Queries } from '../../service/analytics/queries.ts';
import { createFullAccess } from '../../service/datasets/access.ts';
import { answerEndpoint } from '../../service/server/endpoints/answer-endpoint.ts';
import type { Services } from '../../service/server/endpoints/request-context.ts';
import { HttpError } from '../../service/server/http-error.ts';
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
  const desk: Services['desk'] = {
    turns: { take: (_, work, signal) => work(signal) },
    async ask(target, { name, request, write }) {
      await target.state();
      context = addNames(context, request);
      const queries: Queries = new MemoryQueries(context);
      const query = queries[name] as (request: object) => Promise<never>;
      return [...write(await query(request))].join('');
    },
  };
  return {
    desk,
    exports: {
      async open(target, request) {
        await target.state();
        return exportEvents(addNames(context, request), request);
      },
    },
    funnels: { list: async () => [], find: async () => undefined },
    people: {
      async page(_, __, { page, ...selection }) {
        const found = listPeople(context, selection);
        const results = found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map(({ distinctId, properties }) => {
          return { $distinct_id: distinctId, $properties: properties };
        });
        return { page, pageSize: PAGE_SIZE, results, sessionId: 'file', total: found.length };
      },
    },
    datasets: {
      list: async () => [],
      stateOf: async (_, { datasetId, versionId }) => ((datasetId ?? versionId) === undefined ? '' : refuse()),
      versionsOf: refuse,
      read: refuse,
    },
    annotations: { list: async () => [], create: refuse, update: refuse, remove: refuse },
  };
}

function refuse(): never {
  throw new HttpError(404, 'A file has no datasets and no annotations.');
}
