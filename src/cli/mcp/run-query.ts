import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { choice, integer, type ParameterKind } from '../../queries/endpoints/kinds.ts';
import { allowParameter, requireParameter } from '../../queries/endpoints/parameter.ts';
import { boundAnswer } from './bound-answer.ts';
import { findQuery, QUERIES, readQueryParameters } from './queries.ts';
import { createInputSchema } from './read-arguments.ts';
import { declareTool } from './tool.ts';

/** The schemas of all parameters of queries, whose meaning the resource of the queries has by query. */
function mergeSchemas(): object {
  const properties: Record<string, object> = {};
  for (const { parameters } of QUERIES) {
    const { properties: added } = createInputSchema(parameters) as { properties: Record<string, object> };
    for (const [name, schema] of Object.entries(added)) properties[name] ??= schema;
  }
  // Queries differ in the words and the defaults that a parameter takes.
  const loose = Object.entries(properties).map(([name, schema]) => {
    const { enum: _, default: __, maximum: ___, ...rest } = schema as Record<string, unknown>;
    return [name, rest];
  });
  return { type: 'object', properties: Object.fromEntries(loose), additionalProperties: false };
}

const queryParameters: ParameterKind<JsonObject> = {
  takes: 'a JSON object',
  schema: mergeSchemas(),
  read: (given) => (isJsonObject(given) ? given : undefined),
};

const LISTED = QUERIES.map(({ name, endpoint, parameters }) => {
  const names = Object.entries(parameters).map(([parameter, { isRequired }]) =>
    isRequired ? parameter : `${parameter}?`,
  );
  return `- ${name}: ${endpoint.summary}. Parameters: ${names.join(', ') || 'none'}`;
});

const MAX_ROWS = 1_000;

/** Runs a query of the HTTP interface. */
export const RUN_QUERY = declareTool({
  name: 'run_query',
  title: 'Run a query',
  description: [
    'Answers a question about the data. Filters (`where`) and groups (`on`) are expressions of the language. `ran` has',
    'what ran, word for word; a wrong expression is refused and nothing runs. Events and dates that are left out are',
    'those of the data. The resource onwhere://queries has the schema of each query:',
    ...LISTED,
  ].join('\n'),
  parameters: {
    query: requireParameter(choice(...QUERIES.map(({ name }) => name)), 'The name of the query.'),
    parameters: allowParameter(queryParameters, 'The parameters of the query, by name.', {}),
    max_rows: allowParameter(integer({ max: MAX_ROWS }), 'Maximum number of rows in each table of the answer.', 100),
  },
  async run({ query: name, parameters: given, max_rows }, data) {
    const query = findQuery(name);
    const asked = readQueryParameters(query, given, { timeZone: await data.readTimeZone() });
    const canWarn = Object.hasOwn(query.endpoint.parameters, 'verbose');
    const task = {
      kind: 'query',
      path: query.endpoint.path,
      parameters: { ...asked, ...(canWarn && { verbose: '1' }) },
    } as const;
    const { result, notes } = await data.run(task);
    const { verbose: _, ...ran } = result.parameters;
    const { warnings, rest } = splitWarnings(result.answer);
    const { answer, truncated } = boundAnswer(rest, max_rows);
    return { ran: { query: name, parameters: ran }, answer, truncated, warnings, notes };
  },
});

function splitWarnings(answer: unknown): { readonly warnings: unknown; readonly rest: unknown } {
  if (!isJsonObject(answer) || !Object.hasOwn(answer, 'warnings')) return { warnings: [], rest: answer };
  const { warnings, ...rest } = answer;
  return { warnings, rest };
}
