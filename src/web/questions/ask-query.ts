import type { QueryApi, RequestParameters } from '../shared/query-api.ts';
import type { PageQuery } from './queries.ts';

/** A query with its parameters, ready to send. */
export interface RunnableQuery {
  readonly query: PageQuery;
  readonly parameters: RequestParameters;
}

/** An answer, and what the query names that no record has. */
interface Answer {
  readonly result: object;
  readonly warnings: readonly string[];
}

/**
 * Asks a query.
 *
 * @param page The parameters of another page of its result.
 * @throws {ApiError} if the response is an error, or there is none.
 */
export async function askQuery(
  api: QueryApi,
  { query, parameters }: RunnableQuery,
  page: RequestParameters,
  signal: AbortSignal,
): Promise<Answer> {
  const asked: RequestParameters = [...parameters, ...page, ['verbose', '1']];
  const answer = (await api.post(query.path, asked, signal)) as { readonly warnings?: readonly string[] };
  const { warnings = [], ...result } = answer;
  return { result, warnings };
}
