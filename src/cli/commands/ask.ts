import { omitUndefined } from '../../base/objects.ts';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { chooseIntervalCount } from '../../queries/endpoints/choose-interval-count.ts';
import { chooseUnit } from '../../queries/endpoints/choose-unit.ts';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { askWholeRange, listWholeRangeRequests } from '../../queries/endpoints/whole-range.ts';
import type { FunnelAnswer } from '../answers/funnel.ts';
import { type AnsweredPath, type Rendering, renderAnswer } from '../answers/render-answer.ts';
import type { SeriesAnswer } from '../answers/series.ts';
import { listReads } from '../api/list-reads.ts';
import type { ServiceApi } from '../api/service-api.ts';
import { type ApiOptions, withApi } from '../api/with-api.ts';
import { readVariable } from '../environment.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { splitFunnelArguments } from '../split-funnel-arguments.ts';

const DAY_MS = 86_400_000;

export interface AskOptions extends ApiOptions {
  readonly json?: true;
  readonly csv?: true;
  readonly chart?: true;
}

export interface AskedEndpoint {
  readonly path: AnsweredPath;
  /** Whether its response can have warnings. */
  readonly canWarn: boolean;
}

/**
 * Runs a query and prints the result as a table, or the JSON or CSV of the HTTP response. Prints its warnings on standard
 * error.
 */
export async function runQuery(
  io: Io,
  { path, canWarn }: AskedEndpoint,
  query: QueryParameters,
  files: readonly string[],
  { json, csv, chart, ...options }: AskOptions,
): Promise<void> {
  const reads = listReads(path, query);
  const withEvent = reads.some(({ name }) => name === EVENT_PROPERTY);
  const output = await withApi(io, files, { ...options, reads, withEvent }, async (api) => {
    const isText = !json && !csv;
    const completed = await api.complete?.(path, query);
    const asked = isText ? addShownDefaults(io, path, completed ?? query) : query;
    const format = csv ? { format: 'csv' } : canWarn && { verbose: '1' };
    const { text, warnings } = splitWarnings(await api.query(path, { ...asked, ...format }));
    for (const warning of warnings) printMessage(io, 'warning', warning);
    if (!isText) return text.endsWith('\n') ? text : `${text}\n`;
    const answer = JSON.parse(text);
    const more = await askMore(api, path, asked, answer);
    return renderAnswer(io.out, path, answer, { parameters: asked, charted: chart, ...more });
  });
  await (typeof output === 'string' ? io.out.writeAll(output) : io.out.print(output));
}

/**
 * Runs a funnel, whose steps can be arguments: `onwhere funnel shop.ndjson view purchase`. Without files, these read
 * standard input.
 *
 * @throws {UsageError} if there are other steps too, or a single one without files.
 */
export async function runFunnel(
  io: Io,
  endpoint: AskedEndpoint,
  query: QueryParameters,
  words: readonly string[],
  options: AskOptions,
): Promise<void> {
  const { files, steps } = await splitFunnelArguments(words);
  if (steps === undefined) return runQuery(io, endpoint, query, files, options);
  if (query.steps !== undefined || query.funnel_id !== undefined)
    throw new UsageError('Name the steps after the files, with --steps or with --funnel-id, not in several ways');
  const hasServer = [options.server, options.project, readVariable(io, 'server')].some((place) => place !== undefined);
  const readsInput = files.length === 0 && !hasServer;
  if (readsInput) printMessage(io, 'note', `${words[0]} is no file, so the events are read from standard input`);
  return runQuery(io, endpoint, { ...query, steps }, readsInput ? ['-'] : files, options);
}

/** The queries whose answers have a row or a column for each unit. */
const WITH_UNITS: ReadonlySet<string> = new Set(['/funnels', '/retention', '/retention/addiction']);

/**
 * Returns the parameters of a query whose answer people read: longer ranges have longer units, and retention as many
 * intervals as its dates.
 */
function addShownDefaults(io: Io, path: AnsweredPath, query: QueryParameters): QueryParameters {
  const { from_date, to_date, unit: given, interval, interval_count, addiction_unit } = query;
  const isChosen = WITH_UNITS.has(path) && given === undefined && interval === undefined;
  const days = (Date.parse(to_date ?? '') - Date.parse(from_date ?? '')) / DAY_MS + 1;
  const unit = isChosen && days > 0 ? chooseUnit(path, days) : undefined;
  if (unit !== undefined && unit !== 'day') printMessage(io, 'note', `By ${unit}: --by sets another unit`);
  // Nobody is active in each of the 168 hours of a week.
  const activity = path === '/retention/addiction' && unit !== undefined ? (addiction_unit ?? 'day') : undefined;
  const asked = { ...query, ...omitUndefined({ unit, addiction_unit: activity }) };
  const intervals = path === '/retention' && interval_count === undefined ? chooseIntervalCount(asked) : undefined;
  return intervals === undefined ? asked : { ...asked, interval_count: String(intervals) };
}

/** Runs the queries that a table needs besides the one that it is for. */
async function askMore(
  api: ServiceApi,
  path: AnsweredPath,
  query: QueryParameters,
  answer: unknown,
): Promise<Pick<Rendering, 'whole' | 'inAll' | 'today'>> {
  if (path === '/funnels' && (answer as FunnelAnswer).meta.dates.length > 1)
    return { whole: JSON.parse(await api.query(path, askWholeRange(query))) };
  if (path === '/retention') {
    // The last day of a period up to the present.
    const present = { event: '["-"]', type: 'general', unit: 'day', interval: '1' };
    const { data } = JSON.parse(await api.query('/events', present)) as SeriesAnswer;
    return { today: data.series[0] ?? '' };
  }
  const { series = [] } = (answer as Partial<SeriesAnswer>).data ?? {};
  const requests = series.length > 1 ? listWholeRangeRequests(path, query, series) : [];
  if (requests.length === 0) return {};
  const inAll = new Map<string, number>();
  for (const request of requests) {
    const { data } = JSON.parse(await api.query('/segmentation', request)) as SeriesAnswer;
    for (const [name, values] of Object.entries(data.values)) inAll.set(name, Object.values(values)[0] ?? 0);
  }
  return { inAll };
}

/** Removes the warnings from a response. Old servers send none. */
function splitWarnings(response: string): { readonly text: string; readonly warnings: readonly string[] } {
  const [whole, comma = '', list = ''] = /(,?)"warnings":(\[(?:"(?:[^"\\]|\\.)*",?)*\])\}$/.exec(response) ?? [];
  if (whole === undefined) return { text: response, warnings: [] };
  const end = response.length - whole.length;
  if (comma === '' && response[end - 1] !== '{') return { text: response, warnings: [] };
  return { text: `${response.slice(0, end)}}`, warnings: JSON.parse(list) as string[] };
}
