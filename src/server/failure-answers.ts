import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isExport, sendExportFailure } from './export-answers.ts';
import { type Failure, failureOf } from './failure.ts';
import { mergedParameters } from './parameters.ts';
import { Refusal } from './refusal.ts';

/** Answers an error as the published interface of the request does: an object whose `error` is for people. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Failure {
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
export function answerFailedImport(error: unknown, request: FastifyRequest, reply: FastifyReply): Failure {
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
  const { verbose } = mergedParameters(request);
  return verbose === '1' || verbose === 1 || verbose === true;
}

/**
 * Answers a connection that sends no valid HTTP, or is too slow.
 * Returns the status; undefined if the client is gone.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const { status, message } = clientRefusal(error.code);
  const body = JSON.stringify({ error: message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
  return status;
}

function clientRefusal(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal(408, 'The request took too long to come');
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal(431, 'The headers, or the path and its query, are too long');
  return new Refusal(400, 'The request is not HTTP/1.1');
}

/** What a client is told. A mistake of the server is for its log. */
function told(error: unknown, request: FastifyRequest): Failure {
  const failure = failureOf(error);
  if (failure !== undefined) {
    // What a disk fails with is for operators.
    if (failure.status === 507) request.log.error({ error: ((error as Error).cause as Error).message }, 'disk failed');
    return failure;
  }
  request.log.error({ err: error }, 'a mistake of the server');
  const message = `The server made a mistake. Its log has more about request ${request.id}`;
  return { status: 500, message, headers: {} };
}
