import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import { type AnsweredPath, renderAnswer } from '../answers/render-answer.ts';
import type { QueryParameters } from '../api/service-api.ts';
import { type ApiOptions, withApi } from '../api/with-api.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';

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
  const parameters = { ...query, ...(csv ? { format: 'csv' } : canWarn && { verbose: '1' }) };
  const withEvent = Object.values(query).some((value) => value?.includes(EVENT_PROPERTY));
  const response = await withApi(io, files, { ...options, withEvent }, (api) => api.query(path, parameters));
  const { text, warnings } = splitWarnings(response);
  for (const warning of warnings) printMessage(io, 'warning', warning);
  if (!json && !csv) return io.out.print(renderAnswer(io.out, path, JSON.parse(text), parameters, chart));
  await io.out.writeAll(text.endsWith('\n') ? text : `${text}\n`);
}

/** Removes the warnings from a response. Old servers send none. */
function splitWarnings(response: string): { readonly text: string; readonly warnings: readonly string[] } {
  const [whole, comma = '', list = ''] = /(,?)"warnings":(\[(?:"(?:[^"\\]|\\.)*",?)*\])\}$/.exec(response) ?? [];
  if (whole === undefined) return { text: response, warnings: [] };
  const end = response.length - whole.length;
  if (comma === '' && response[end - 1] !== '{') return { text: response, warnings: [] };
  return { text: `${response.slice(0, end)}}`, warnings: JSON.parse(list) as string[] };
}
