import { getCurrentTime } from '../../base/current-time.ts';
import { createFullAccess } from '../../queries/access.ts';
import { readAnswer } from '../../queries/answer-stream.ts';
import { answerEndpoint } from '../../queries/endpoints/answer-endpoint.ts';
import { HttpError } from '../../queries/http-error.ts';
import { exportEvents } from '../../queries/in-memory/export.ts';
import type { MemoryContext } from '../../queries/in-memory/memory-context.ts';
import { assertWholeFile, createMemoryServices } from '../../queries/in-memory/memory-services.ts';
import type { Services } from '../../queries/services.ts';
import type { RequestParameters } from '../shared/query-api.ts';
import type { MemoryRecords } from './memory-records.ts';
import type { RequestAnswer } from './messages.ts';

/** A request, and the time zone of the file. */
interface AskedRequest {
  readonly path: string;
  readonly parameters: RequestParameters;
  readonly timeZone: string;
}

/** Answers a request like the server of a project with these records. */
export async function answerRequest(
  records: MemoryRecords,
  { path, parameters, timeZone }: AskedRequest,
): Promise<RequestAnswer> {
  const given = Object.fromEntries(parameters);
  const now = isRelative(path, given) ? getLastTime(records) : getCurrentTime();
  const { table, people, countProperties, readProperties } = records;
  const context: MemoryContext = { table, people, countProperties, timeZone, now };
  const services: Services = {
    ...createMemoryServices(context),
    async exportEvents({ filter }, request) {
      assertWholeFile(filter);
      return exportEvents(context, request, readProperties);
    },
  };
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

function getLastTime({ table }: MemoryRecords): number {
  return table.times.reduce((last, time) => Math.max(last, time), 0);
}
