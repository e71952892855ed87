import { type AnsweredPath, renderAnswer } from '../answers/render-answer.ts';
import type { QueryParameters } from '../api/service-api.ts';
import { type ApiOptions, withApi } from '../api/with-api.ts';
import { UsageError } from '../exit.ts';
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
  files: readonly string[],
  { json, csv, ...options }: AskOptions,
): Promise<void> {
  if (files.length === 0 && query.steps !== undefined)
    throw new UsageError('--steps is for files. Save a funnel with `onwhere funnel create`, and pass its --funnel-id');
  const parameters = csv ? { ...query, format: 'csv' } : query;
  const text = await withApi(io, files, options, (api) => api.query(path, parameters));
  if (!json && !csv) return io.out.print(renderAnswer(io.out, path, JSON.parse(text), parameters));
  await io.out.writeAll(text.endsWith('\n') ? text : `${text}\n`);
}
