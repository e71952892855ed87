import type { JsonObject } from '../../../base/json.ts';
import { QueryError } from '../../analytics/errors.ts';
import { type Access, assertScope } from '../../datasets/access.ts';
import { HttpError } from '../http-error.ts';
import { apiErrors } from './api-errors.ts';
import type { Endpoint, EndpointAnswer } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { isGiven } from './parameter.ts';
import type { Services } from './request-context.ts';

/**
 * Runs a request of the Data Export interface and returns the response body.
 *
 * @param path The part after `/api/2.0`, with or without a trailing slash.
 * @throws {HttpError} if the request is invalid, with the published error message
 * @throws {QueryLimitError} if the query exceeds a limit
 * @throws the abort reason of `signal`
 */
export async function answerEndpoint(
  services: Services,
  access: Access,
  path: string,
  parameters: JsonObject,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const endpoint = ENDPOINTS.find((one) => one.path === path.replace(/\/$/, ''));
  if (endpoint === undefined) throw apiErrors.noEndpoint(path);
  assertScope(access, endpoint.isWrite ? 'annotations' : 'query');
  try {
    return await endpoint.handle(parameters, { access, services, signal });
  } catch (error) {
    throw error instanceof QueryError ? createQueryRefusal(error, endpoint, parameters) : error;
  }
}

/** Names the first parameter at fault that the request has, by the name or alias that it used. */
function createQueryRefusal(
  { kind, message, parameters }: QueryError,
  { parameters: declared }: Endpoint,
  given: JsonObject,
): HttpError {
  if (kind !== 'parameter') return apiErrors.query(kind, message);
  const names = parameters.flatMap((name) => [name, declared[name]?.alias ?? name]);
  const parameter = names.find((name) => isGiven(given, name));
  return parameter === undefined ? new HttpError(400, message) : apiErrors.invalid(parameter, message);
}
