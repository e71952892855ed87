import { omitUndefined } from '../../base/objects.ts';
import { askWholeRange, listWholeRangeRequests } from '../../queries/endpoints/whole-range.ts';
import type { Answer, ChartAnnotation } from '../answers/answer.ts';
import { getPeriodBefore } from '../shared/day.ts';
import type { QueryApi, RequestParameters } from '../shared/query-api.ts';
import { type PageQuery, QUERIES } from './queries.ts';
import { getParameters, hasComparison, type QuestionState } from './state.ts';

/** An answer, with warnings about names in the question that no record has. */
export interface WarnedAnswer extends Answer {
  readonly warnings: readonly string[];
}

/** The parameters that are expressions. */
const EXPRESSIONS: ReadonlySet<string> = new Set(['where', 'on', 'born_where']);

/**
 * Asks a question.
 *
 * @param today The last day of the data, `yyyy-mm-dd`.
 * @param page The parameters of another page of its result.
 * @throws {ApiError} if the response is an error, or there is none.
 */
export async function askQuery(
  api: QueryApi,
  state: QuestionState,
  today: string,
  page: RequestParameters,
  signal: AbortSignal,
): Promise<WarnedAnswer> {
  const query: PageQuery = QUERIES[state.query];
  const parameters = getParameters(state);
  const warnings = new Set<string>();
  const ask: Ask = async (path, given) => {
    const answer = await api.post(path, [...given, ...page, ['verbose', '1']], signal);
    const { warnings: found = [], ...result } = answer as { readonly warnings?: readonly string[] };
    for (const warning of found) warnings.add(warning);
    return result;
  };
  // Segments can overlap and be cut off: the number of all is asked without them.
  const isGrouped = query.path === 'segmentation' && parameters.some(([name]) => name === 'on');
  const ungrouped = isGrouped ? parameters.filter(([name]) => name !== 'on' && name !== 'limit') : undefined;
  const askPeriod = async (given: RequestParameters) => {
    const [result, whole, withoutGroups] = await Promise.all([
      ask(query.path, given),
      askWhole(query, given, ask),
      ungrouped && askWhole(query, movePeriodOf(ungrouped, given), ask),
    ]);
    const all = ungrouped && (withoutGroups ?? (await ask(query.path, movePeriodOf(ungrouped, given))));
    return { result, whole, ungrouped: all };
  };
  const earlier = hasComparison(state) ? moveToPeriodBefore(parameters) : undefined;
  const [now, before, annotations] = await Promise.all([
    askPeriod(parameters),
    earlier && askPeriod(earlier),
    query.view === 'lines' && api.hasAnnotations ? listAnnotations(api, parameters, signal) : undefined,
  ]);
  return {
    view: query.view,
    path: query.path,
    parameters: new Map(parameters),
    today,
    result: now.result,
    ...omitUndefined({
      whole: now.whole,
      ungrouped: now.ungrouped,
      before: before?.result,
      wholeBefore: before?.whole,
      ungroupedBefore: before?.ungrouped,
      annotations,
    }),
    warnings: warnings.size === 0 ? [] : await omitShown([...warnings], parameters),
  };
}

/** Leaves out the warnings that the editors of expressions show themselves. */
async function omitShown(warnings: readonly string[], parameters: RequestParameters): Promise<readonly string[]> {
  const { describeWarnings } = await import('../../queries/endpoints/describe-warnings.ts');
  const expressions = parameters.filter(([name]) => EXPRESSIONS.has(name));
  const shown = new Set(expressions.flatMap(([, source]) => describeWarnings(source, 'UTC')));
  return warnings.filter((warning) => !shown.has(warning));
}

type Ask = (path: string, given: RequestParameters) => Promise<object>;

/** Asks the same question with one bucket over the whole range, if it counts users, who do not add up. */
async function askWhole({ view, path }: PageQuery, given: RequestParameters, ask: Ask): Promise<object | undefined> {
  const parameters = Object.fromEntries(given);
  if (view === 'funnel') return ask(path, Object.entries(askWholeRange(parameters)));
  const requests = view === 'lines' ? listWholeRangeRequests(`/${path}`, parameters, []) : [];
  if (requests.length === 0) return undefined;
  const answers = await Promise.all(requests.map((request) => ask('segmentation', Object.entries(request))));
  const series = answers.map((answer) => (answer as { readonly data: { readonly values: object } }).data.values);
  return { data: { series: [], values: Object.assign({}, ...series) } };
}

/** Gives a request the dates of another. */
function movePeriodOf(request: RequestParameters, other: RequestParameters): RequestParameters {
  const dates = new Map(other);
  return request.map(([name, value]) => [name, name.endsWith('_date') ? (dates.get(name) ?? value) : value]);
}

/** Returns the parameters of the same question over as many days before. Returns undefined without whole dates. */
export function moveToPeriodBefore(parameters: RequestParameters): RequestParameters | undefined {
  const moved = getPeriodBefore(new Map(parameters));
  return moved && parameters.map(([name, value]) => [name, moved[name as keyof typeof moved] ?? value]);
}

/** Returns the annotations of the dates of a question. A chart is shown without those that cannot be read. */
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
