import type { FastifyReply, FastifyRequest } from 'fastify';
import { getRoute, getStatus } from './metrics.ts';

/** A line of the log about a request: it has nothing of its headers, path, query or body, any of which may hold secrets. A secret has a name. */
export function createLogEntry(request: FastifyRequest, reply: FastifyReply): object {
  const { access } = request;
  return {
    method: request.method,
    route: getRoute(request),
    status: getStatus(request, reply),
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes: request.bodyBytes,
    address: request.ip,
    ...(access && { project: access.project.name, key: access.key }),
  };
}
