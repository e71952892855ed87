import { describeWarnings } from '../../queries/endpoints/warnings.ts';
import type { ChartAnnotation } from '../answers/answer.ts';
import type { QueryApi, RequestParameters } from '../shared/query-api.ts';
import { addPeriodBefore, moveToPeriodBefore } from './compare.ts';
import { type PageQuery, QUERIES } from './queries.ts';
import { getParameters, hasComparison, type QuestionState } from './state.ts';

/** A query with its parameters, ready to send. */
export interface RunnableQuery {
  readonly query: PageQuery;
  readonly parameters: RequestParameters;
  /** Whether to compare the result with that of the period before. */
  readonly isCompared: boolean;
}

/** An answer, with warnings about names in the query that no record has. */
export interface QueryAnswer {
  readonly result: object;
  readonly warnings: readonly string[];
  /** The annotations of the dates; undefined if the result is not a chart or has none. */
  readonly annotations?: readonly ChartAnnotation[];
}

/** The parameters that are expressions. */
const EXPRESSIONS: ReadonlySet<string> = new Set(['where', 'on', 'born_where']);

/** Returns the query of a state. */
export function createRunnableQuery(state: QuestionState): RunnableQuery {
  return { query: QUERIES[state.query], parameters: getParameters(state), isCompared: hasComparison(state) };
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
): Promise<QueryAnswer> {
  const ask = async (given: RequestParameters): Promise<QueryAnswer> => {
    const answer = await api.post(query.path, [...given, ...page, ['verbose', '1']], signal);
    const { warnings = [], ...result } = answer as { readonly warnings?: readonly string[] };
    // The fields of expressions show these themselves.
    const shown = new Set(
      given.flatMap(([name, value]) => (EXPRESSIONS.has(name) ? describeWarnings(value, 'UTC') : [])),
    );
    return { result, warnings: warnings.filter((warning) => !shown.has(warning)) };
  };
  const [{ result, warnings }, annotations] = await Promise.all([
    ask(parameters),
    query.view === 'lines' && api.hasAnnotations ? listAnnotations(api, parameters, signal) : undefined,
  ]);
  const found = annotations && { annotations };
  const earlier = isCompared ? moveToPeriodBefore(parameters) : undefined;
  if (earlier === undefined) return { result, warnings, ...found };
  return { result: addPeriodBefore(result, (await ask(earlier)).result), warnings, ...found };
}

/** Returns the annotations of the dates of a query. A chart is shown without those that cannot be read. */
async function listAnnotations(
  api: QueryApi,
  parameters: RequestParameters,
  signal: AbortSignal,
): Promise<readonly ChartAnnotation[]> {
  const dates = parameters.filter(([name]) => name === 'from_date' || name === 'to_date');
  try {
    const answer = await api.post('annotations', dates, signal);
    return (answer as { readonly annotations: readonly ChartAnnotation[] }).annotations;
  } catch {
    return [];
  }
}
