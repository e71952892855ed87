import type { FastifySchema } from 'fastify';
import type { Endpoint } from '../../../queries/endpoints/endpoint.ts';
import type { Parameter } from '../../../queries/endpoints/parameter.ts';

const STRING = { schema: { type: 'string' } };

const FAILURE = {
  description: 'Error message',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['error', 'request'],
        properties: {
          error: { type: 'string' },
          request: { type: 'string', description: 'Path and query of the request' },
        },
      },
    },
    'application/javascript': STRING,
  },
};

const CALLBACK = {
  type: 'string',
  description: 'Name of a JavaScript function. The response is a call of this function (JSONP).',
};

/** Returns the OpenAPI schema of an endpoint with its parameters in the query string (GET) or the body (POST). */
export function createQuerySchema(endpoint: Endpoint, where: 'body' | 'querystring'): FastifySchema {
  const { path, group, summary, schema, hasLines, parameters } = endpoint;
  const entries = Object.entries(parameters).map(([name, parameter]) => [name, createParameterSchema(parameter)]);
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  const properties = { ...Object.fromEntries(entries), callback: CALLBACK };
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
          ...(hasLines ? { 'application/x-ndjson': STRING } : { 'application/json': { schema } }),
          ...('format' in parameters && { 'text/csv': STRING }),
          'application/javascript': STRING,
        },
      },
      '4xx': FAILURE,
      '5xx': FAILURE,
    },
  };
}

function createParameterSchema({ kind, description, defaultValue }: Parameter): object {
  return { ...kind.schema, description, ...(defaultValue !== undefined && { default: defaultValue }) };
}
