import type { FastifyRequest } from 'fastify';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { tryParseJson } from '../../../data/try-parse-json.ts';
import { HttpError } from '../../../queries/http-error.ts';
import { parseForm } from './parse-form.ts';
import { parseJsonBody } from './parse-json.ts';

/** The schema of a parameter, for validation and the OpenAPI document. Error messages quote the description. */
interface Parameter {
  readonly type?: 'string';
  readonly anyOf?: readonly object[];
  readonly minLength?: number;
  readonly pattern?: string;
  readonly description: string;
}

const ID = '^[A-Za-z0-9]{1,255}$';

/** Every parameter of the routes outside the query interface. */
const PARAMETERS = {
  token: { type: 'string', minLength: 1, description: 'Token of the project' },
  state: {
    anyOf: [
      { type: 'string', contentMediaType: 'application/json' },
      {
        type: 'object',
        required: ['readable', 'writable'],
        properties: { readable: { type: 'boolean' }, writable: { type: 'boolean' } },
      },
    ],
    description: 'JSON object with the booleans `readable` and `writable`, both required',
  },
  dataset_id: { type: 'string', pattern: ID, description: 'Name of the dataset: 1 to 255 letters and digits' },
  version_id: { type: 'string', pattern: ID, description: 'ID of a version of the dataset' },
  dataset_version: { type: 'string', pattern: ID, description: 'ID of a version of the dataset' },
  data: {
    // No minimum length: counting the characters of a batch takes as long as parsing its form.
    type: 'string',
    description: 'Base64 of a JSON record or an array of up to 1000 records; line breaks are allowed',
  },
  name: { type: 'string', minLength: 1, description: 'Name of the saved filter: 1 to 64 letters, digits, `-` and `_`' },
  event: { type: 'string', minLength: 1, description: 'Name of the events. By default, all events' },
  where: { type: 'string', minLength: 1, description: 'Filter of the events, an expression' },
  verbose: {
    anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }],
    description: 'Set to 1 for a JSON response with the error message',
  },
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS;

/** Creates the JSON Schema of an object with these parameters. */
export function createParametersSchema(
  required: readonly ParameterName[],
  optional: readonly ParameterName[] = [],
): object {
  const properties = Object.fromEntries([...required, ...optional].map((name) => [name, PARAMETERS[name]]));
  return { type: 'object', required, properties };
}

/** The content types of bodies with parameters. */
export const BODY_TYPES = ['application/x-www-form-urlencoded', 'application/json'] as const;

/**
 * Parses the parameters in a body.
 *
 * @throws {HttpError} 400 if the body is malformed, 415 for another content type
 */
export function parseParameters(body: Buffer, contentType: string | undefined): JsonObject {
  const mediaType = contentType?.replace(/;.*/s, '').trim().toLowerCase();
  if (mediaType === BODY_TYPES[0]) return Object.fromEntries(parseForm(body));
  if (mediaType === BODY_TYPES[1]) return parseJsonBody(body);
  if (body.length === 0) return {};
  const problem = mediaType === undefined ? 'The body has no content type' : 'Unsupported content type';
  throw new HttpError(415, `${problem}: send parameters as ${BODY_TYPES.join(' or ')}, or in the query string`, {
    Accept: BODY_TYPES.join(', '),
  });
}

/**
 * Checks the escapes of a query string. The router would accept broken ones, which are errors in a body.
 *
 * @throws {HttpError} if the query string of a URL has a `%` that is not part of a character in UTF-8
 */
export function assertDecodable(url: string): void {
  const [, query = ''] = url.split(/\?(.*)/s, 2);
  try {
    decodeURIComponent(query);
  } catch {
    throw new HttpError(400, 'The query string is not percent-encoded UTF-8: write %25 for a literal %');
  }
}

/** Returns the parameters of a request. The body wins over the query string. */
export function mergeParameters({ query, body }: FastifyRequest): JsonObject {
  return { ...(query as JsonObject), ...(isJsonObject(body) ? body : {}) };
}

/** The state that a client sets. */
export interface WrittenState {
  readonly readable: boolean;
  readonly writable: boolean;
}

/**
 * Reads the parameter `state`: a string of JSON or, in a JSON body, an object.
 *
 * @throws {HttpError} if a boolean is missing
 */
export function readState(given: unknown): WrittenState {
  const state = typeof given === 'string' ? tryParseJson(given) : given;
  if (isJsonObject(state)) {
    const { readable, writable } = state;
    if (typeof readable === 'boolean' && typeof writable === 'boolean') return { readable, writable };
  }
  throw createInvalidParameterError('state');
}

/** Creates the error of an invalid parameter, with the description of the parameter. */
export function createInvalidParameterError(name: string): HttpError {
  const parameter = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name as ParameterName] : undefined;
  return new HttpError(400, `Invalid parameter: ${name}${parameter === undefined ? '' : `. ${parameter.description}`}`);
}
