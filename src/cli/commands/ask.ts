import { type AnsweredPath, renderAnswer } from '../answers/render-answer.ts';
import type { QueryParameters } from '../api/service-api.ts';
import { type ApiOptions, withApi } from '../api/with-api.ts';
import type { Io } from '../io.ts';

export interface AskOptions extends ApiOptions {
  readonly json?: true;
  readonly csv?: true;
}

/** Asks a query and prints the answer: as a table with bars, or as it is published. */
export async function runQuery(
  io: Io,
  path: AnsweredPath,
  asked: QueryParameters,
  { json, csv, ...options }: AskOptions,
): Promise<void> {
  const parameters = csv ? { ...asked, format: 'csv' } : asked;
  const text = await withApi(io, options, (api) => api.ask(path, parameters));
  if (!json && !csv) return io.out.print(renderAnswer(io.out, path, JSON.parse(text), parameters));
  await io.out.writeAll(text.endsWith('\n') ? text : `${text}\n`);
}
