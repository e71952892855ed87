import type { FastifySchema } from 'fastify';
import type { Endpoint } from './endpoints/endpoint.ts';
import type { Parameter } from './endpoints/parameter.ts';

const TEXT = { schema: { type: 'string' } };

const FAILURE = {
  description: 'What is wrong',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['error', 'request'],
        properties: { error: { type: 'string' }, request: { type: 'string', description: 'What was asked' } },
      },
    },
    'application/javascript': TEXT,
  },
};

const CALLBACK = {
  type: 'string',
  description: 'The name of a JavaScript function: the answer is a call of it.',
};

/** The description of an endpoint that takes its parameters in the query string, or in a body too. */
export function createExportSchema(endpoint: Endpoint, where: 'body' | 'querystring'): FastifySchema {
  const { path, group, summary, schema, parameters } = endpoint;
  const described = Object.entries(parameters).map(([name, parameter]) => [name, parameterSchema(parameter)]);
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  const properties = { ...Object.fromEntries(described), callback: CALLBACK };
  return {
    operationId: `${where === 'body' ? 'post' : 'get'}${path.replace(/\/(\w)/g, (_, letter) => letter.toUpperCase())}`,
    summary,
    tags: [group],
    security: [{ secret: [] }, { api_key: [], expire: [], sig: [] }],
    [where]: { type: 'object', required, properties },
    response: {
      200: {
        description: summary,
        content: {
          'application/json': { schema },
          ...('format' in parameters && { 'text/csv': TEXT }),
          'application/javascript': TEXT,
        },
      },
      '4xx': FAILURE,
      '5xx': FAILURE,
    },
  };
}

function parameterSchema({ kind, description, otherwise }: Parameter): object {
  return { ...kind.schema, description, ...(otherwise !== undefined && { default: otherwise }) };
}
