import { type AnsweredPath, renderAnswer } from '../answers/render-answer.ts';
import type { QueryParameters } from '../api/service-api.ts';
import { type ApiOptions, withApi } from '../api/with-api.ts';
import type { Io } from '../io.ts';

export interface AskOptions extends ApiOptions {
  readonly json?: true;
  readonly csv?: true;
}

/** Runs a query and prints the result as a table, or the JSON or CSV of the HTTP response. */
export async function runQuery(
  io: Io,
  path: AnsweredPath,
  query: QueryParameters,
  { json, csv, ...options }: AskOptions,
): Promise<void> {
  const parameters = csv ? { ...query, format: 'csv' } : query;
  const text = await withApi(io, options, (api) => api.query(path, parameters));
  if (!json && !csv) return io.out.print(renderAnswer(io.out, path, JSON.parse(text), parameters));
  await io.out.writeAll(text.endsWith('\n') ? text : `${text}\n`);
}
