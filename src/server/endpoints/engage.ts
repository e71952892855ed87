import { omitUndefined } from '../../util/given.ts';
import { PEOPLE_SCHEMA } from './answer-schemas.ts';
import { type Endpoint, endpoint, jsonAnswer } from './endpoint.ts';
import { expression, integer, text } from './kinds.ts';
import { NARROWING, narrowingOf, orInvalid } from './narrowing.ts';
import { optional } from './parameter.ts';
import { published } from './published.ts';

/** The endpoint of people. */
export const ENGAGE: readonly Endpoint[] = [
  endpoint({
    path: '/engage',
    schema: PEOPLE_SCHEMA,
    group: 'engage',
    summary: 'People, a page at a time',
    parameters: {
      where: {
        ...optional(expression, 'Selects the people: of what `user["…"]` and `properties["…"]` read.'),
        alias: 'selector',
      },
      session_id: optional(text, 'What the answer with the first page names; its other pages show what it showed.'),
      page: optional(integer({ least: 0 }), 'Which page; all but the first one need `session_id`.', 0),
      ...NARROWING,
    },
    example: { where: 'properties["$last_name"] == "Ek" and properties["country"] == "NL"' },
    async answer(asked, { access, services, signal }) {
      const { where, session_id, page } = asked;
      if (page > 0 && session_id === undefined) throw published.missing('session_id');
      const wanted = { page, ...omitUndefined({ where, sessionId: session_id }) };
      const found = await services.desk.turns.take(
        access.project.name,
        (limited) => orInvalid(services.people.page(access, narrowingOf(asked), wanted, limited)),
        signal,
      );
      return jsonAnswer({
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
