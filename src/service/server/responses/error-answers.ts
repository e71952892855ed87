import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '../../../queries/http-error.ts';
import { mergeParameters } from '../requests/parameters.ts';
import { type FailureResponse, toFailureResponse } from './failure-response.ts';
import { isQueryRequest, sendQueryFailure } from './query-answers.ts';

/** Sends an error in the published shape of the interface: an object with the message as `error`. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FailureResponse {
  const failure = createFailure(error, request);
  request.refusedWith = failure.status;
  if (isQueryRequest(request)) {
    sendQueryFailure(request, reply, failure);
    return failure;
  }
  reply.code(failure.status).headers(failure.headers);
  if (isImport(request)) sendFailedImport(request, reply, failure.message);
  else reply.type('application/json; charset=utf-8').send({ error: failure.message });
  return failure;
}

/** Sends the message with `verbose`, else only `0`. Until the body is read, only the query string can have `verbose`. */
function sendFailedImport(request: FastifyRequest, reply: FastifyReply, error: string): void {
  if (isVerbose(request)) reply.type('application/json; charset=utf-8').send({ error, status: 0 });
  else reply.type('text/plain; charset=utf-8').send('0');
}

function isImport({ method, raw }: FastifyRequest): boolean {
  return method === 'POST' && /^\/import-(?:events|people)\/?(?:\?|$)/.test(raw.url ?? '');
}

/** Reports whether a request has `verbose` set. */
export function isVerbose(request: FastifyRequest): boolean {
  const { verbose } = mergeParameters(request);
  return verbose === '1' || verbose === 1 || verbose === true;
}

export const CONNECT_REFUSAL = new HttpError(405, 'CONNECT is not allowed: this server is not a proxy', { Allow: '' });

/** Creates the error of a connection with invalid or slow HTTP. Returns undefined if the client has disconnected. */
export function createClientRefusal({ code }: Error & { readonly code?: string }): HttpError | undefined {
  if (code === 'ECONNRESET') return undefined;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'The request timed out');
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError(431, 'The headers or the URL are too long');
  return new HttpError(400, 'The request is not HTTP/1.1');
}

/** Sends an error on a connection whose request was not read, and closes it. */
export function sendUnread({ status, message, headers }: HttpError, socket: Duplex): void {
  const body = JSON.stringify({ error: message });
  const allHeaders = {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}

/** Returns the response of an error. Logs internal errors, whose details are not for clients. */
function createFailure(error: unknown, request: FastifyRequest): FailureResponse {
  const failure = toFailureResponse(error);
  if (failure !== undefined) {
    // The reason of a disk failure is for operators.
    if (failure.status === 507) request.log.error({ error: ((error as Error).cause as Error).message }, 'disk failed');
    return failure;
  }
  request.log.error({ err: error }, 'internal error');
  const message = `Internal server error: see request ${request.id} in the server log`;
  return { status: 500, message, headers: {} };
}
