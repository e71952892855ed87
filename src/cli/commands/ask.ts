import { type AnsweredPath, answerLines } from '../answers/answer-lines.ts';
import type { QueryParameters } from '../api/api.ts';
import { type ApiOptions, withApi } from '../api/with-api.ts';
import { Output } from '../output.ts';

export interface AskOptions extends ApiOptions {
  readonly json?: true;
  readonly csv?: true;
}

/** Asks a query and prints the answer: as a table with bars, or as it is published. */
export async function ask(
  path: AnsweredPath,
  asked: QueryParameters,
  { json, csv, ...options }: AskOptions,
): Promise<void> {
  const parameters = csv ? { ...asked, format: 'csv' } : asked;
  const text = await withApi(options, (api) => api.ask(path, parameters));
  if (!json && !csv) return Output.print(answerLines(path, JSON.parse(text), parameters));
  const output = new Output();
  output.add(text.endsWith('\n') ? text : `${text}\n`);
  await output.flush();
}
