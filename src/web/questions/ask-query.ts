import { describeWarnings } from '../../queries/endpoints/warnings.ts';
import type { Answer, ChartAnnotation } from '../answers/answer.ts';
import type { QueryApi, RequestParameters } from '../shared/query-api.ts';
import { countDays } from './fill-defaults.ts';
import { type PageQuery, QUERIES } from './queries.ts';
import { getParameters, hasComparison, type QuestionState } from './state.ts';

/** An answer, with warnings about names in the question that no record has. */
export interface WarnedAnswer extends Answer {
  readonly warnings: readonly string[];
}

/** The parameters that are expressions. */
const EXPRESSIONS: ReadonlySet<string> = new Set(['where', 'on', 'born_where']);

const DAY_MS = 86_400_000;

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
  const ask = async (given: RequestParameters): Promise<object> => {
    const answer = await api.post(query.path, [...given, ...page, ['verbose', '1']], signal);
    const { warnings: found = [], ...result } = answer as { readonly warnings?: readonly string[] };
    for (const warning of found) warnings.add(warning);
    return result;
  };
  const whole = toOneBucket(state, query, parameters);
  // Segments can overlap and be cut off: the number of all is asked without them.
  const isGrouped = query.path === 'segmentation' && parameters.some(([name]) => name === 'on');
  const ungrouped = isGrouped ? (whole ?? parameters).filter(([name]) => name !== 'on' && name !== 'limit') : undefined;
  const moveToBefore = (asked: RequestParameters | undefined) =>
    hasComparison(state) && asked !== undefined ? moveToPeriodBefore(asked) : undefined;
  const [answers, annotations] = await Promise.all([
    askAll(
      {
        result: parameters,
        whole,
        ungrouped,
        before: moveToBefore(parameters),
        wholeBefore: moveToBefore(whole),
        ungroupedBefore: moveToBefore(ungrouped),
      },
      ask,
    ),
    query.view === 'lines' && api.hasAnnotations ? listAnnotations(api, parameters, signal) : undefined,
  ]);
  // The editors of expressions show these themselves.
  const shown = new Set(
    parameters.flatMap(([name, value]) => (EXPRESSIONS.has(name) ? describeWarnings(value, 'UTC') : [])),
  );
  return {
    view: query.view,
    path: query.path,
    parameters: new Map(parameters),
    today,
    result: {},
    ...answers,
    ...(annotations && { annotations }),
    warnings: [...warnings].filter((warning) => !shown.has(warning)),
  };
}

/** Asks several requests at once. Those that are undefined have no answer. */
async function askAll<Name extends string>(
  requests: Readonly<Record<Name, RequestParameters | undefined>>,
  ask: (given: RequestParameters) => Promise<object>,
): Promise<Partial<Record<Name, object>>> {
  const asked = Object.entries<RequestParameters | undefined>(requests).map(async ([name, given]) =>
    given === undefined ? [] : [[name, await ask(given)]],
  );
  return Object.fromEntries((await Promise.all(asked)).flat());
}

/** Returns the parameters of the same question with one bucket over the dates, if its numbers of users do not add up. */
function toOneBucket(
  state: QuestionState,
  { view, path }: PageQuery,
  parameters: RequestParameters,
): RequestParameters | undefined {
  const type = new Map(parameters).get('type') ?? 'general';
  if (view !== 'funnel' && (path !== 'segmentation' || type === 'general')) return undefined;
  const others = parameters.filter(([name]) => name !== 'unit' && name !== 'interval');
  return [...others, ['interval', String(countDays(state))]];
}

/** Returns the parameters of the same question over as many days before. Returns undefined without whole dates. */
export function moveToPeriodBefore(parameters: RequestParameters): RequestParameters | undefined {
  const given = new Map(parameters);
  const [from, to] = [Date.parse(given.get('from_date') ?? ''), Date.parse(given.get('to_date') ?? '')];
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) return undefined;
  const length = to - from + DAY_MS;
  const moved = { from_date: formatDay(from - length), to_date: formatDay(from - DAY_MS) };
  return parameters.map(([name, value]) => [name, moved[name as keyof typeof moved] ?? value]);
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
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
