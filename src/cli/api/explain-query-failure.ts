import { QueryLimitError } from '../../queries/errors.ts';
import { HttpError } from '../../queries/http-error.ts';
import { ServiceError } from '../../queries/service-error.ts';
import { EXIT } from '../exit.ts';
import { ServiceApiError } from './service-api.ts';

/** Throws the error of a command for one of a query. */
export function explainQueryFailure(error: unknown): never {
  if (error instanceof HttpError || error instanceof ServiceError)
    throw ServiceApiError.fromResponse(error.status, error.message);
  throw error instanceof QueryLimitError ? new ServiceApiError(error.message, EXIT.data) : error;
}
