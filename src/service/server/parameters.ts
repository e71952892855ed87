import type { FastifyRequest } from 'fastify';
import { isJsonObject, type JsonObject } from '../../lang/util/json.ts';
import { HttpError } from './http-error.ts';
import { parseForm } from './parse-form.ts';
import { parseJson } from './parse-json.ts';

/** A parameter as the OpenAPI document describes it and requests are judged by. The description says too what it takes. */
interface Parameter {
  readonly type?: 'string';
  readonly anyOf?: readonly object[];
  readonly minLength?: number;
  readonly pattern?: string;
  readonly description: string;
}

const ID = '^[A-Za-z0-9]{1,255}$';

/** Every parameter of the Datasets interface. */
const PARAMETERS = {
  token: { type: 'string', minLength: 1, description: 'The token of the project' },
  state: {
    anyOf: [
      { type: 'string', contentMediaType: 'application/json' },
      {
        type: 'object',
        required: ['readable', 'writable'],
        properties: { readable: { type: 'boolean' }, writable: { type: 'boolean' } },
      },
    ],
    description: 'A JSON object with the two booleans `readable` and `writable`, both of them',
  },
  dataset_id: { type: 'string', pattern: ID, description: 'The name of the dataset, of 1 to 255 letters and digits' },
  version_id: { type: 'string', pattern: ID, description: 'A version of the dataset, as `version_id` names it' },
  dataset_version: { type: 'string', pattern: ID, description: 'A version of the dataset, as `version_id` names it' },
  data: {
    // Without a least length, as counting the characters of a batch takes as long as parsing its form.
    type: 'string',
    description: 'A record or an array of up to 1000, as JSON in base64, with or without line breaks',
  },
  verbose: {
    anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }],
    description: '1 for an answer that says what is wrong',
  },
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS;

/** The JSON Schema of an object with parameters. */
export function createParametersSchema(
  required: readonly ParameterName[],
  optional: readonly ParameterName[] = [],
): object {
  const properties = Object.fromEntries([...required, ...optional].map((name) => [name, PARAMETERS[name]]));
  return { type: 'object', required, properties };
}

/** What types of bodies hold parameters. */
export const BODY_TYPES = ['application/x-www-form-urlencoded', 'application/json'] as const;

/**
 * The parameters in a body.
 *
 * @throws {HttpError} where there are none to be had.
 */
export function parseParameters(body: Buffer, contentType: string | undefined): JsonObject {
  const mediaType = contentType?.replace(/;.*/s, '').trim().toLowerCase();
  if (mediaType === BODY_TYPES[0]) return Object.fromEntries(parseForm(body));
  if (mediaType === BODY_TYPES[1]) return parseJson(body);
  if (body.length === 0) return {};
  const found = mediaType === undefined ? 'The body has no content type' : 'The content type of the body is not known';
  throw new HttpError(415, `${found}: send parameters as ${BODY_TYPES.join(' or ')}, or in the query string`, {
    Accept: BODY_TYPES.join(', '),
  });
}

/**
 * Refuses what the router would take as it stands: a body with the same mistake is refused too.
 *
 * @throws {HttpError} if the query string of a URL has a `%` that is not part of a character in UTF-8
 */
export function assertDecodable(url: string): void {
  const [, query = ''] = url.split(/\?(.*)/s, 2);
  try {
    decodeURIComponent(query);
  } catch {
    throw new HttpError(400, 'The query string has a % that is not part of a character in UTF-8: write %25 for a %');
  }
}

/** What a request gives as parameters; what the body says counts more than the query string. */
export function mergeParameters({ query, body }: FastifyRequest): JsonObject {
  return { ...(query as JsonObject), ...(isJsonObject(body) ? body : {}) };
}

export interface WrittenState {
  readonly readable: boolean;
  readonly writable: boolean;
}

/**
 * The state that a client wants, which is the text of a JSON object or, in a JSON body, one itself.
 *
 * @throws {HttpError} where it lacks one of its booleans.
 */
export function readState(written: unknown): WrittenState {
  const state = typeof written === 'string' ? jsonOf(written) : written;
  if (isJsonObject(state)) {
    const { readable, writable } = state;
    if (typeof readable === 'boolean' && typeof writable === 'boolean') return { readable, writable };
  }
  throw createInvalidParameterError('state');
}

/** @returns the refusal of a parameter whose value is none that it takes */
export function createInvalidParameterError(name: string): HttpError {
  const parameter = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name as ParameterName] : undefined;
  return new HttpError(400, `Invalid parameter: ${name}${parameter === undefined ? '' : `. ${parameter.description}`}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
