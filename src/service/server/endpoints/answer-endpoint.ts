import type { JsonObject } from '../../../lang/util/json.ts';
import { QueryError } from '../../analytics/errors.ts';
import { type Access, assertScope } from '../../datasets/access.ts';
import { HttpError } from '../http-error.ts';
import { apiErrors } from './api-errors.ts';
import type { Endpoint, EndpointAnswer } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { isGiven } from './parameter.ts';
import type { Services } from './request-context.ts';

/**
 * Answers a request of the Data Export interface. The path is the part behind `/api/2.0`, with or without a slash at its end.
 *
 * @throws {HttpError} where the request is wrong, in the published words; {@link QueryLimitError}; the reason of the signal
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
    return await endpoint.answer(parameters, { access, services, signal });
  } catch (error) {
    throw error instanceof QueryError ? refusalOf(error, endpoint, parameters) : error;
  }
}

/** Only what was asked can be at fault, by the name that it was asked by. */
function refusalOf({ kind, message, parameters }: QueryError, { parameters: declared }: Endpoint, asked: JsonObject) {
  if (kind !== 'parameter') return apiErrors.query(kind, message);
  const names = parameters.flatMap((name) => [name, declared[name]?.alias ?? name]);
  const parameter = names.find((name) => isGiven(asked, name));
  return parameter === undefined ? new HttpError(400, message) : apiErrors.invalid(parameter, message);
}
