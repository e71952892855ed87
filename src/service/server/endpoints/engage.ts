import { omitUndefined } from '../../../lang/util/objects.ts';
import { PEOPLE_SCHEMA } from './answer-schemas.ts';
import { apiErrors } from './api-errors.ts';
import { DATASET_PARAMETERS, readDatasetFilter, reportInvalid } from './dataset-parameters.ts';
import { answerJson, declareEndpoint, type Endpoint } from './endpoint.ts';
import { expressionText, integer, text } from './kinds.ts';
import { allowParameter } from './parameter.ts';

/** The endpoint of people. */
export const ENGAGE: readonly Endpoint[] = [
  declareEndpoint({
    path: '/engage',
    schema: PEOPLE_SCHEMA,
    group: 'engage',
    summary: 'People, a page at a time',
    parameters: {
      where: {
        ...allowParameter(expressionText, 'Selects the people: of what `user["…"]` and `properties["…"]` read.'),
        alias: 'selector',
      },
      session_id: allowParameter(
        text,
        'What the answer with the first page names; its other pages show what it showed.',
      ),
      page: allowParameter(integer({ least: 0 }), 'Which page; all but the first one need `session_id`.', 0),
      ...DATASET_PARAMETERS,
    },
    example: { where: 'properties["$last_name"] == "Ek" and properties["country"] == "NL"' },
    async answer(asked, { access, services, signal }) {
      const { where, session_id, page } = asked;
      if (page > 0 && session_id === undefined) throw apiErrors.missing('session_id');
      const wanted = { page, ...omitUndefined({ where, sessionId: session_id }) };
      const found = await services.desk.turns.take(
        access.project.name,
        (limited) => reportInvalid(services.people.page(access, readDatasetFilter(asked), wanted, limited)),
        signal,
      );
      return answerJson({
        page: found.page,
        page_size: found.pageSize,
        results: found.results,
        session_id: found.sessionId,
        status: 'ok',
        total: found.total,
      });
    },
  }),
];
