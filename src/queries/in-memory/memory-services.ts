import { check } from '../../api/expressions.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { listNamedInRequest } from '../absent-names.ts';
import { PAGE_SIZE } from '../answer-limits.ts';
import { HttpError } from '../http-error.ts';
import type { DatasetFilter, Services } from '../services.ts';
import type { MemoryContext } from './memory-context.ts';
import { MemoryQueries } from './memory-queries.ts';
import { listPeople } from './people.ts';

/**
 * Returns the services that answer requests from the records of a file.
 *
 * @param getProperties returns the properties of the event at a row of the table
 */
export function createMemoryServices(records: MemoryContext): Omit<Services, 'exportEvents'> {
  let context = records;
  return {
    async ask({ filter }, { name, request, write }) {
      assertWholeFile(filter);
      // The queries for warnings follow that of the answer, and find the name among the properties.
      context = { ...context, readsEventName: context.readsEventName || readsEventName(request) };
      const query = new MemoryQueries(context)[name] as (request: object) => Promise<never>;
      return [...write(await query(request))].join('');
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

function readsEventName(request: object): boolean {
  const read = listNamedInRequest(request).sources.flatMap((source) => check(source).properties);
  return read.some(({ name }) => name === EVENT_PROPERTY);
}

/** @throws {HttpError} if a request is for a dataset, since a file has none */
export function assertWholeFile({ datasetId, versionId }: DatasetFilter): void {
  if ((datasetId ?? versionId) !== undefined) refuse();
}

function refuse(): never {
  throw new HttpError(404, 'A file has no datasets and no annotations.');
}
