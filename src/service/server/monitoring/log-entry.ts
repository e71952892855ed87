import type { FastifyReply, FastifyRequest } from 'fastify';
import { getRoute, getStatus } from './metrics.ts';

/**
 * Creates the log entry of a request. It contains no headers, path, query or body, as any of them may contain secrets.
 * `key` is the name of the secret.
 */
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
