import type { FastifyError } from 'fastify';
import { QueryLimitError } from '../../../queries/errors.ts';
import { HttpError } from '../../../queries/http-error.ts';
import { ServiceError } from '../../../queries/service-error.ts';
import { DamagedFileError } from '../../datasets/files/errors.ts';
import { isOutOfFiles } from '../../storage/files.ts';
import { LeaseLostError } from '../../storage/folder-hold.ts';
import { DatabaseBusyError, DatabaseLostError, DepthLimitError, MemoryLimitError } from '../../store/store-error.ts';
import { CHALLENGE } from '../access/access.ts';
import { createInvalidParameterError } from '../requests/parameters.ts';

/** The response of an error. */
export interface FailureResponse {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Replaces the messages of Fastify, which mention its internals. */
const FASTIFY_ERRORS: Readonly<Record<string, [status: HttpError['status'], message: string]>> = {
  FST_ERR_BAD_URL: [400, 'The path is not percent-encoded UTF-8: write %25 for a literal %'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'The path is too long'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The content type of the body is malformed'],
};

/** Headers of the errors of datasets, by status. */
const HEADERS: Partial<Record<ServiceError['status'], FailureResponse['headers']>> = {
  401: CHALLENGE,
  503: { 'Retry-After': '1' },
};

const OUT_OF_MEMORY = 'The query ran out of memory: reduce it, for example to fewer days or segments.';

const TOO_DEEP =
  'The expression is too deeply nested or too long for the database: remove parentheses, shorten chains of operators, or read fewer properties as dates.';

const DATABASE_LOST =
  'The database process ended during the query and is restarting. If a retry fails too, the query is the cause: reduce it.';

const DATABASE_BUSY = 'Another process still has the database file of this project open: retry later.';

const DAMAGED = 'A file of this project cannot be read. The server log names it; `onwhere fsck` checks all files.';

const LEASE_LOST =
  'Another server is taking over, and this request may or may not have changed something: check, and send it again.';

const TOO_MANY_FILES = 'The server has too many open files: retry later.';

/** The header of errors that a later retry may avoid. */
const RETRY_LATER = { 'Retry-After': '5' };

/** Returns the response of an error, or undefined for an internal error. */
export function toFailureResponse(error: unknown): FailureResponse | undefined {
  if (error instanceof HttpError) return error;
  if (error instanceof ServiceError) {
    const { status, message } = error;
    return { status, message, headers: HEADERS[status] ?? {} };
  }
  if (error instanceof QueryLimitError)
    return { status: 503, message: error.message, headers: error.kind === 'overload' ? RETRY_LATER : {} };
  if (error instanceof DepthLimitError) return { status: 400, message: TOO_DEEP, headers: {} };
  if (error instanceof DamagedFileError) return { status: 503, message: DAMAGED, headers: {} };
  if (error instanceof MemoryLimitError) return { status: 503, message: OUT_OF_MEMORY, headers: {} };
  if (error instanceof DatabaseBusyError) return { status: 503, message: DATABASE_BUSY, headers: RETRY_LATER };
  if (error instanceof DatabaseLostError) return { status: 503, message: DATABASE_LOST, headers: RETRY_LATER };
  if (error instanceof LeaseLostError) return { status: 503, message: LEASE_LOST, headers: RETRY_LATER };
  const { code, validation } = error as FastifyError;
  if (isOutOfFiles(error)) return { status: 503, message: TOO_MANY_FILES, headers: RETRY_LATER };
  if (validation !== undefined) return createParameterError(validation);
  const replacement = FASTIFY_ERRORS[code];
  return replacement && new HttpError(...replacement);
}

/** Creates the published error of a parameter that does not match its schema. */
function createParameterError([violation]: NonNullable<FastifyError['validation']>): HttpError {
  if (violation?.keyword === 'required' && violation.instancePath === '') {
    return new HttpError(400, `Missing required parameter: ${violation.params.missingProperty}`);
  }
  return createInvalidParameterError(violation?.instancePath.split('/')[1] ?? '');
}
