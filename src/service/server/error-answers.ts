import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isExport, sendExportFailure } from './export-answers.ts';
import { type FailureResponse, toFailureResponse } from './failure-response.ts';
import { HttpError } from './http-error.ts';
import { mergeParameters } from './parameters.ts';

/** Answers an error as the published interface of the request does: an object whose `error` is for people. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FailureResponse {
  const failure = told(error, request);
  request.refusedWith = failure.status;
  if (isExport(request)) {
    sendExportFailure(request, reply, failure);
    return failure;
  }
  reply.code(failure.status).headers(failure.headers);
  if (isImport(request)) sendImportFailure(reply, failure.message);
  else reply.type('application/json; charset=utf-8').send({ error: failure.message });
  return failure;
}

/** Answers an error of an import, which is only `0` to who does not ask for more. */
export function answerFailedImport(error: unknown, request: FastifyRequest, reply: FastifyReply): FailureResponse {
  if (request.access === undefined) return answerFailure(error, request, reply);
  const failure = told(error, request);
  reply.code(failure.status).headers(failure.headers);
  if (isVerbose(request)) sendImportFailure(reply, failure.message);
  else reply.type('text/plain; charset=utf-8').send('0');
  return failure;
}

/**
 * Before the body is read, nobody knows how much the client wants to know: it is told all, in the shape that says most.
 */
function sendImportFailure(reply: FastifyReply, error: string): void {
  reply.type('application/json; charset=utf-8').send({ error, status: 0 });
}

function isImport({ method, raw }: FastifyRequest): boolean {
  return method === 'POST' && /^\/import-(?:events|people)\/?(?:\?|$)/.test(raw.url ?? '');
}

/** Whether a client wants to know what is wrong with an import. */
export function isVerbose(request: FastifyRequest): boolean {
  const { verbose } = mergeParameters(request);
  return verbose === '1' || verbose === 1 || verbose === true;
}

/** The server is reached, not what is behind it. */
export const CONNECT_REFUSAL = new HttpError(405, 'CONNECT is not allowed: the server is no proxy', { Allow: '' });

/** Why a connection is refused that sends no valid HTTP, or is too slow; undefined if the client is gone. */
export function clientRefusal({ code }: Error & { readonly code?: string }): HttpError | undefined {
  if (code === 'ECONNRESET') return undefined;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'The request took too long to come');
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError(431, 'The headers, or the path and its query, are too long');
  return new HttpError(400, 'The request is not HTTP/1.1');
}

/** Sends a refusal to a connection whose request nobody has read, and closes it. */
export function sendUnread({ status, message, headers }: HttpError, socket: Duplex): void {
  const body = JSON.stringify({ error: message });
  const sent = {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}

/** What a client is told. A mistake of the server is for its log. */
function told(error: unknown, request: FastifyRequest): FailureResponse {
  const failure = toFailureResponse(error);
  if (failure !== undefined) {
    // What a disk fails with is for operators.
    if (failure.status === 507) request.log.error({ error: ((error as Error).cause as Error).message }, 'disk failed');
    return failure;
  }
  request.log.error({ err: error }, 'a mistake of the server');
  const message = `The server made a mistake. Its log has more about request ${request.id}`;
  return { status: 500, message, headers: {} };
}
