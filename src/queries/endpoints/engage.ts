import { omitUndefined } from '../../base/objects.ts';
import type { Person } from '../people.ts';
import { PEOPLE_SCHEMA } from './answer-schemas.ts';
import { apiErrors } from './api-errors.ts';
import { DATASET_PARAMETERS, getTarget } from './dataset-parameters.ts';
import { answerJson, declareEndpoint, type Endpoint } from './endpoint.ts';
import { expressionText, integer, type ParameterKind, string, strings } from './kinds.ts';
import { allowParameter } from './parameter.ts';
import { addWarningsSchema, findWarnings, VERBOSE } from './warnings.ts';

/** More IDs make a statement that databases plan slowly. */
const MAX_IDS = 1_000;

const distinctIds: ParameterKind<readonly string[]> = {
  ...strings,
  takes: `a JSON array of 1 to ${MAX_IDS.toLocaleString('en-US')} strings`,
  read(given) {
    const ids = strings.read(given);
    return ids === undefined || ids.length > MAX_IDS ? undefined : ids;
  },
};

/** The endpoint that lists people. */
export const ENGAGE: readonly Endpoint[] = [
  declareEndpoint({
    path: '/engage',
    schema: addWarningsSchema(PEOPLE_SCHEMA),
    group: 'engage',
    summary: 'List people, one page at a time',
    parameters: {
      where: {
        ...allowParameter(
          expressionText,
          'Filters the people. `user["…"]` and `properties["…"]` both read the profile.',
        ),
        alias: 'selector',
      },
      distinct_ids: allowParameter(
        distinctIds,
        `Lists only people with one of these IDs, at most ${MAX_IDS.toLocaleString('en-US')}.`,
      ),
      output_properties: allowParameter(
        strings,
        'Returns only these properties of each person. Those that a person lacks are left out.',
      ),
      session_id: allowParameter(
        string,
        'The `session_id` of the first page. All pages of a session read the same snapshot.',
      ),
      page: allowParameter(integer({ min: 0 }), 'Page number, from 0. Pages after the first require `session_id`.', 0),
      ...DATASET_PARAMETERS,
      verbose: VERBOSE,
    },
    example: { where: 'properties["$last_name"] == "Ek" and properties["country"] == "NL"' },
    async handle(values, context) {
      const { services } = context;
      const target = getTarget(context, values);
      const { where, distinct_ids, output_properties, session_id, page, verbose } = values;
      if (page > 0 && session_id === undefined) throw apiErrors.missing('session_id');
      const request = { page, ...omitUndefined({ where, distinctIds: distinct_ids, sessionId: session_id }) };
      const found = await services.listPeople(target, request);
      const sources = where === undefined ? [] : [where];
      const warnings = verbose
        ? await findWarnings(services, target, { events: [], sources, ofPeople: true })
        : undefined;
      return answerJson({
        page: found.page,
        page_size: found.pageSize,
        results: output_properties === undefined ? found.results : pickProperties(found.results, output_properties),
        session_id: found.sessionId,
        status: 'ok',
        total: found.total,
        ...omitUndefined({ warnings }),
      });
    },
  }),
];

function pickProperties(people: readonly Person[], names: readonly string[]): Person[] {
  const wanted = new Set(names);
  return people.map(({ $distinct_id, $properties }) => {
    const picked = Object.entries($properties).filter(([name]) => wanted.has(name));
    return { $distinct_id, $properties: Object.fromEntries(picked) };
  });
}
