import { isJsonObject } from '../../base/json.ts';
import { suggest } from '../../base/suggest.ts';
import type { Use } from '../../lang/check/check.ts';
import type { Endpoint } from '../../queries/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../queries/endpoints/endpoints.ts';
import { expressionText, funnelSteps } from '../../queries/endpoints/kinds.ts';
import type { Parameters, QueryParameters } from '../../queries/endpoints/parameter.ts';
import { isChosen } from '../api/query-defaults.ts';
import { type CheckContext, readCanonical } from './check-source.ts';
import { readArguments } from './read-arguments.ts';
import { ToolRefusal } from './tool-refusal.ts';

/** The groups of queries that `run_query` does not run: other tools have these, or they are no questions. */
const OTHER_GROUPS: ReadonlySet<string> = new Set(['annotations', 'overview', 'export']);

/** Parameters that `run_query` sets itself. */
const SET_PARAMETERS: ReadonlySet<string> = new Set(['format', 'verbose']);

/** A query of the HTTP interface, as a question for `run_query`. */
export interface Query {
  /** The path without its first slash: `segmentation/sum`. */
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly parameters: Parameters;
}

/** The queries, from the endpoints. None of them changes data. */
export const QUERIES: readonly Query[] = ENDPOINTS.filter(
  ({ group, isWrite }) => !OTHER_GROUPS.has(group) && isWrite !== true,
).map((endpoint) => {
  const parameters = Object.entries(endpoint.parameters)
    .filter(([name]) => !SET_PARAMETERS.has(name))
    .map(([name, parameter]) => [name, { ...parameter, isRequired: parameter.isRequired && !isChosen(name) }]);
  return { name: endpoint.path.slice(1), endpoint, parameters: Object.fromEntries(parameters) };
});

/** @throws {ToolRefusal} for the name of no query */
export function findQuery(name: string): Query {
  const query = QUERIES.find((one) => one.name === name.replace(/^\//, ''));
  if (query !== undefined) return query;
  const names = QUERIES.map((one) => one.name);
  const near = suggest(name, names);
  throw new ToolRefusal(
    `There is no query ${JSON.stringify(name.slice(0, 100))}. ${near === undefined ? `The queries are ${names.join(', ')}.` : `Did you mean "${near}"?`}`,
  );
}

/**
 * Reads the parameters of a query and returns those that run, with canonical expressions.
 *
 * @throws {ToolRefusal} if a parameter is unknown, empty or invalid, or an expression is wrong
 */
export function readQueryParameters(
  { name: query, endpoint, parameters: declared }: Query,
  given: unknown,
  context: Omit<CheckContext, 'use'>,
): QueryParameters {
  const values = readArguments(`the query ${query}`, declared, given);
  const entries = Object.keys(given as object).map((name): [string, string] => {
    const { kind } = declared[name] as Parameters[string];
    const value = (given as Record<string, unknown>)[name];
    if (kind === expressionText)
      return [name, readCanonical(name, String(values[name]), { ...context, use: getUse(query, name) })];
    if (kind === funnelSteps) return [name, JSON.stringify(readSteps(name, value, context))];
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  const parameters = Object.fromEntries(entries);
  refuseIgnoredFilter(endpoint, parameters);
  return parameters;
}

/** Returns what an expression of a query is for. */
function getUse(query: string, parameter: string): Use {
  if (parameter !== 'on') return 'where';
  return /^segmentation\/(?:numeric|sum|average)$/.test(query) ? 'number' : 'on';
}

const STEP_KEYS = ['event', 'where'];

/** Reads the steps of a funnel, which have no members that are ignored. */
function readSteps(name: string, given: unknown, context: Omit<CheckContext, 'use'>): object[] {
  const steps: readonly unknown[] = typeof given === 'string' ? JSON.parse(given) : (given as unknown[]);
  return steps.map((step, index) => {
    const place = `${name}[${index}]`;
    const { event, where } = step as { event: string; where?: string };
    const unknown = Object.keys(isJsonObject(step) ? step : {}).find((key) => !STEP_KEYS.includes(key));
    if (unknown !== undefined)
      throw new ToolRefusal(`${place} has ${JSON.stringify(unknown.slice(0, 100))}. A step has event and where.`);
    if (where === undefined) return { event };
    if (where.trim() === '') throw new ToolRefusal(`${place}.where is empty. Leave it out to count all events.`);
    return { event, where: readCanonical(`${place}.where`, where, { ...context, use: 'where' }) };
  });
}

/** @throws {ToolRefusal} for a filter that the query would not apply */
function refuseIgnoredFilter(
  { path }: Endpoint,
  { retention_type: type, born_event, born_where }: QueryParameters,
): void {
  if (path !== '/retention' || born_where === undefined) return;
  // Without both, the query starts users at every event.
  if (type === 'compounded' || (type === undefined && born_event === undefined))
    throw new ToolRefusal(
      'born_where filters the born_event, and compounded retention has none. Use where, or name it.',
    );
}
