import type { QueryApi, RequestParameters } from '../shared/query-api.ts';
import { addPeriodBefore, moveToPeriodBefore } from './compare.ts';
import type { PageQuery } from './queries.ts';

/** A query with its parameters, ready to send. */
export interface RunnableQuery {
  readonly query: PageQuery;
  readonly parameters: RequestParameters;
  /** Whether to compare the result with that of the period before. */
  readonly isCompared: boolean;
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
  { query, parameters, isCompared }: RunnableQuery,
  page: RequestParameters,
  signal: AbortSignal,
): Promise<Answer> {
  const ask = async (given: RequestParameters): Promise<Answer> => {
    const answer = await api.post(query.path, [...given, ...page, ['verbose', '1']], signal);
    const { warnings = [], ...result } = answer as { readonly warnings?: readonly string[] };
    return { result, warnings };
  };
  const { result, warnings } = await ask(parameters);
  const earlier = isCompared ? moveToPeriodBefore(parameters) : undefined;
  if (earlier === undefined) return { result, warnings };
  return { result: addPeriodBefore(result, (await ask(earlier)).result), warnings };
}
