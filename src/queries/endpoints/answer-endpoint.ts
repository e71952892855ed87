import type { JsonObject } from '../../base/json.ts';
import { type Access, assertPermission } from '../access.ts';
import { QueryError } from '../errors.ts';
import { HttpError } from '../http-error.ts';
import { ServiceError } from '../service-error.ts';
import type { Services } from '../services.ts';
import { apiErrors } from './api-errors.ts';
import type { Endpoint, EndpointAnswer } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { isGiven } from './parameter.ts';

/**
 * Runs a request of the query interface and returns the response body.
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
  assertPermission(access, endpoint.isWrite ? 'annotations' : 'query');
  try {
    return await endpoint.handle(parameters, { access, services, signal });
  } catch (error) {
    if (error instanceof QueryError) throw createQueryRefusal(error, endpoint, parameters);
    const missing = error instanceof ServiceError ? error.missing : undefined;
    if (missing === undefined) throw error;
    throw apiErrors.invalid(missing === 'dataset' ? 'dataset_id' : 'dataset_version', (error as ServiceError).message);
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
