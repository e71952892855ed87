import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteStream } from '../../../queries/answer-stream.ts';
import { HttpError } from '../../../queries/http-error.ts';
import { toFailureResponse } from './failure-response.ts';

/** @throws {HttpError} if the client could not tell a broken stream from a whole one, or reads no body */
export function assertStreamable({ raw, method }: FastifyRequest): void {
  if (method === 'HEAD') throw new HttpError(405, 'Only GET and POST are allowed here', { Allow: 'GET, POST' });
  if (raw.httpVersion !== '1.1')
    throw new HttpError(400, 'An export needs HTTP/1.1, whose responses show whether they are complete');
}

/**
 * Sends a stream of unknown length, with gzip if the client accepts it. If the stream fails, logs the error and breaks the
 * connection off, so that the client does not take the lines that it has for all.
 *
 * @param idleMs The time for which a client may read nothing.
 */
export function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: ByteStream,
  idleMs: number,
): FastifyReply {
  const watched = Readable.from(watchReader(lines, request.raw.socket, idleMs));
  watched.on('error', (error) => {
    // The client closed the connection: nothing failed.
    if (reply.raw.destroyed) return;
    const message = toFailureResponse(error)?.message;
    request.log.error(message === undefined ? { err: error } : { error: message }, 'export failed');
  });
  reply.type('application/x-ndjson; charset=utf-8').header('Vary', 'Accept-Encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(watched);
  return reply.header('Content-Encoding', 'gzip').send(pipeline(watched, createGzip(), () => undefined));
}

/** Passes chunks on. The timeout for idle sockets runs only while the client has something to read. */
async function* watchReader(chunks: ByteStream, socket: Socket, idleMs: number): AsyncGenerator<string | Uint8Array> {
  socket.setTimeout(0);
  try {
    for await (const chunk of chunks) {
      socket.setTimeout(idleMs);
      yield chunk;
      socket.setTimeout(0);
    }
  } finally {
    socket.setTimeout(idleMs);
  }
}

/** Returns whether an `Accept-Encoding` header has gzip with a weight above 0. */
function acceptsGzip(header: string | string[] | undefined = ''): boolean {
  const accepted = String(header)
    .split(',')
    .map((part) =>
      part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q\s*=\s*/),
    );
  const weight = accepted.find(([name]) => name === 'gzip') ?? accepted.find(([name]) => name === '*');
  return weight !== undefined && Number(weight[1] ?? 1) > 0;
}
