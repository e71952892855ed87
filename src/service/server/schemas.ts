import type { FastifySchema } from 'fastify';
import { createParametersSchema, type ParameterName } from './parameters.ts';

const TIME = { type: 'string', format: 'date-time', description: '0001-01-01T00:00:00Z where it has not been' };

/** A version of a dataset, as answers show it. */
export const VERSION = {
  type: 'object',
  required: ['version_id', 'created_at', 'is_live', 'state'],
  properties: {
    version_id: { type: 'string' },
    created_at: TIME,
    is_live: { type: 'boolean', description: 'Whether queries read it' },
    state: {
      type: 'object',
      required: ['ready', 'ready_at', 'readable', 'readable_at', 'writable'],
      properties: {
        ready: { type: 'boolean', description: 'Whether all that was imported can be queried' },
        ready_at: TIME,
        readable: { type: 'boolean' },
        readable_at: TIME,
        writable: { type: 'boolean' },
      },
    },
    damage: {
      type: 'string',
      description: 'Only of a damaged version: what is lost or cannot be read. Queries that would read it answer 503',
    },
  },
};

const FAILURE = {
  description: 'What is wrong, and what to do',
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' } },
};

/** Of answers that say what is wrong. */
const FAILURES = { '4xx': FAILURE, '5xx': FAILURE };

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  /** In the path. */
  readonly path?: readonly ParameterName[];
  /** In the query string or the body. */
  readonly required: readonly ParameterName[];
  readonly optional?: readonly ParameterName[];
}

function inputs({ path, required, optional }: Operation, where: 'body' | 'querystring'): FastifySchema {
  return { ...(path && { params: createParametersSchema(path) }), [where]: createParametersSchema(required, optional) };
}

/** The schema of an operation that answers `{"data": …}`. */
export function createDataSchema(operation: Operation, where: 'body' | 'querystring', data: object): FastifySchema {
  const { operationId, summary } = operation;
  const success = { description: summary, type: 'object', required: ['data'], properties: { data } };
  return { operationId, summary, ...inputs(operation, where), response: { 200: success, ...FAILURES } };
}

/** The schema of an operation that answers `1` or `0`, or with `verbose` an object that says why. */
export function createImportSchema(operation: Operation): FastifySchema {
  const { operationId, summary } = operation;
  const answer = (description: string, status: 0 | 1, error: object) => ({
    description,
    content: {
      'text/plain': { schema: { type: 'string', enum: [String(status)] } },
      'application/json': {
        schema: {
          type: 'object',
          required: ['error'],
          properties: { error, status: { type: 'integer', enum: [status] } },
        },
      },
    },
  });
  const failure = answer(
    'Nothing was imported: what is wrong, and what to do. Before access is granted, always the object',
    0,
    { type: 'string' },
  );
  return {
    operationId,
    summary,
    ...inputs(operation, 'body'),
    response: {
      200: answer('All records are stored', 1, { type: 'null' }),
      '4xx': failure,
      '5xx': failure,
    },
  };
}

/** The schema of an operation that takes nothing. */
export function createOpenSchema(
  operationId: string,
  summary: string,
  response: Record<number, object>,
): FastifySchema {
  return { operationId, summary, security: [], response: { ...response, '4xx': FAILURE } };
}
