import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import type { Person } from '../../queries/people.ts';
import type { ServiceApi } from './service-api.ts';

/** Reads the people that parameters select, in the pages of one session, which all show the same moment. */
export async function* readPeoplePages(
  api: ServiceApi,
  parameters: QueryParameters,
): AsyncGenerator<readonly Person[]> {
  let session: QueryParameters = {};
  for (let page = 0; ; page++) {
    const answer = JSON.parse(await api.query('/engage', { ...parameters, ...session, page: String(page) }));
    const people: readonly Person[] = answer.results;
    yield people;
    if (people.length < answer.page_size) return;
    session = { session_id: answer.session_id };
  }
}
