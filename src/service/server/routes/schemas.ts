import type { FastifySchema } from 'fastify';
import { createParametersSchema, type ParameterName } from '../requests/parameters.ts';

const TIME = { type: 'string', format: 'date-time', description: '0001-01-01T00:00:00Z if it has not happened yet' };

/** The JSON Schema of a version of a dataset. */
export const VERSION = {
  type: 'object',
  required: ['version_id', 'created_at', 'is_live', 'state'],
  properties: {
    version_id: { type: 'string' },
    created_at: TIME,
    is_live: { type: 'boolean', description: 'Whether queries read this version' },
    state: {
      type: 'object',
      required: ['ready', 'ready_at', 'readable', 'readable_at', 'writable'],
      properties: {
        ready: { type: 'boolean', description: 'Whether all imported records can be queried' },
        ready_at: TIME,
        readable: { type: 'boolean' },
        readable_at: TIME,
        writable: { type: 'boolean' },
      },
    },
    damage: {
      type: 'string',
      description: 'Present if the version is damaged: the data that is lost or unreadable. Queries of it return 503',
    },
  },
};

const COUNT = { type: 'integer' };
const TEXT = { type: 'string' };

/** The JSON Schema of a saved filter. */
export const SAVED_FILTER = {
  type: 'object',
  required: ['name', 'event', 'where', 'created_at', 'events', 'since', 'last_import'],
  properties: {
    name: TEXT,
    event: { type: ['string', 'null'], description: 'Name of the events; null for all events' },
    where: TEXT,
    created_at: { type: 'string', format: 'date-time', description: 'When it was created or last replaced' },
    events: { type: 'integer', description: 'Number of imported events that matched since `since`' },
    since: {
      type: 'string',
      format: 'date-time',
      description: 'When the saved filter was created or the server started',
    },
    last_import: {
      type: ['object', 'null'],
      description: 'What the last import matched; null if there was none since `since`',
      properties: {
        time: { type: 'string', format: 'date-time' },
        dataset_id: TEXT,
        dataset_version: TEXT,
        events: COUNT,
        people: COUNT,
        failures: { type: 'integer', description: 'Number of events that raised a type error' },
      },
    },
  },
};

/** The part of the response to an import with `verbose` about the saved filters of the project. */
const MATCHED = {
  segments: {
    type: 'object',
    description: 'Present if the project has filters: what each of them matches in this import, by name',
    additionalProperties: {
      type: 'object',
      required: ['events', 'people', 'failures'],
      properties: { events: COUNT, people: COUNT, failures: COUNT },
    },
  },
  segments_error: { type: 'string', description: 'Present if the saved filters were not matched: why, and what to do' },
};

const FAILURE = {
  description: 'Error message',
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' } },
};

const FAILURES = { '4xx': FAILURE, '5xx': FAILURE };

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  /** Parameters in the path. */
  readonly path?: readonly ParameterName[];
  /** Parameters in the query string or the body. */
  readonly required: readonly ParameterName[];
  readonly optional?: readonly ParameterName[];
}

function createInputSchemas({ path, required, optional }: Operation, where: 'body' | 'querystring'): FastifySchema {
  return { ...(path && { params: createParametersSchema(path) }), [where]: createParametersSchema(required, optional) };
}

/** Creates the schema of an operation that returns `{"data": …}`. */
export function createDataSchema(operation: Operation, where: 'body' | 'querystring', data: object): FastifySchema {
  const { operationId, summary } = operation;
  const success = { description: summary, type: 'object', required: ['data'], properties: { data } };
  return { operationId, summary, ...createInputSchemas(operation, where), response: { 200: success, ...FAILURES } };
}

/** Creates the schema of an import, which returns `1` or `0`, or an object with the error if `verbose` is set. */
export function createImportSchema(operation: Operation): FastifySchema {
  const { operationId, summary } = operation;
  const createResponse = (description: string, status: 0 | 1, error: object, rest: object = {}) => ({
    description,
    content: {
      'text/plain': { schema: { type: 'string', enum: [String(status)] } },
      'application/json': {
        schema: {
          type: 'object',
          required: ['error'],
          properties: { error, status: { type: 'integer', enum: [status] }, ...rest },
        },
      },
    },
  });
  const failure = createResponse(
    'Nothing was imported. Always the JSON object if the request was refused before it was read',
    0,
    { type: 'string' },
  );
  return {
    operationId,
    summary,
    ...createInputSchemas(operation, 'body'),
    response: {
      200: createResponse('All records were stored', 1, { type: 'null' }, MATCHED),
      '4xx': failure,
      '5xx': failure,
    },
  };
}

/** Creates the schema of an operation without parameters or authentication. */
export function createOpenSchema(
  operationId: string,
  summary: string,
  response: Record<number, object>,
): FastifySchema {
  return { operationId, summary, security: [], response: { ...response, '4xx': FAILURE } };
}
