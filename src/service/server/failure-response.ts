import type { FastifyError } from 'fastify';
import { QueryLimitError } from '../analytics/errors.ts';
import { DamagedFileError, ServiceError } from '../datasets/errors.ts';
import { isOutOfFiles } from '../storage/files.ts';
import { DatabaseLostError, DepthLimitError, MemoryLimitError } from '../store/store-error.ts';
import { CHALLENGE } from './access.ts';
import { HttpError } from './http-error.ts';
import { createInvalidParameterError } from './parameters.ts';

/** What a client is told of an error. */
export interface FailureResponse {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What to say of errors that Fastify finds, which speak of its own parts. */
const SAID: Readonly<Record<string, [status: HttpError['status'], message: string]>> = {
  FST_ERR_BAD_URL: [400, 'The path has a % without two hexadecimal digits, or is not in UTF-8'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'The path is too long'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The content type of the body cannot be read'],
};

/** What goes with some refusals of the datasets. */
const HEADERS: Partial<Record<ServiceError['status'], FailureResponse['headers']>> = {
  401: CHALLENGE,
  503: { 'Retry-After': '1' },
};

const TOO_MUCH = 'The query needs more memory than there is for it: ask for less, such as fewer days or segments.';

const TOO_DEEP =
  'An expression is nested too deeply, or too long, for the database: take parentheses apart, or split a chain of operators.';

const LOST =
  'The database ended during the query, and starts again. If that happens once more, the query is the reason: ask for less.';

const DAMAGED =
  'A file of this project cannot be read. The log of the server says which; `onwhere fsck` checks all of them.';

const NO_FILES = 'The server has as many files open as it may: repeat this request later.';

/** When to ask again what too many ask. */
const LATER = { 'Retry-After': '5' };

/** What a client is told of an error, whichever it is; undefined for a mistake of the server. */
export function toFailureResponse(error: unknown): FailureResponse | undefined {
  if (error instanceof HttpError) return error;
  if (error instanceof ServiceError) {
    const { status, message } = error;
    return { status, message, headers: HEADERS[status] ?? {} };
  }
  if (error instanceof QueryLimitError)
    return { status: 503, message: error.message, headers: error.kind === 'overload' ? LATER : {} };
  if (error instanceof DepthLimitError) return { status: 400, message: TOO_DEEP, headers: {} };
  if (error instanceof DamagedFileError) return { status: 503, message: DAMAGED, headers: {} };
  if (error instanceof MemoryLimitError) return { status: 503, message: TOO_MUCH, headers: {} };
  if (error instanceof DatabaseLostError) return { status: 503, message: LOST, headers: LATER };
  const { code, validation } = error as FastifyError;
  if (isOutOfFiles(error)) return { status: 503, message: NO_FILES, headers: LATER };
  if (validation !== undefined) return wrongParameter(validation);
  const said = SAID[code];
  return said && new HttpError(...said);
}

/** In the words of the published interface. */
function wrongParameter([found]: NonNullable<FastifyError['validation']>): HttpError {
  if (found?.keyword === 'required' && found.instancePath === '') {
    return new HttpError(400, `Missing required parameter: ${found.params.missingProperty}`);
  }
  return createInvalidParameterError(found?.instancePath.split('/')[1] ?? '');
}
