import type { FastifyReply, FastifyRequest } from 'fastify';
import { routeOf, statusOf } from './metrics.ts';

/** What the log keeps of a request: nothing of its headers, path, query or body, any of which may hold secrets. */
export function accountOf(request: FastifyRequest, reply: FastifyReply): object {
  return {
    method: request.method,
    route: routeOf(request),
    status: statusOf(request, reply),
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes: request.bodyBytes,
  };
}
