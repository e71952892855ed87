import type { FastifyReply, FastifyRequest } from 'fastify';
import { type QueryTrace, roundTimes } from '../../analytics/query-trace.ts';
import { getRoute, getStatus } from './metrics.ts';

/**
 * Creates the log entry of a request. It contains no headers, path, query or body, as any of them may contain secrets.
 * `key` is the name of the secret. `query` tells how a query was answered, with times in milliseconds.
 */
export function createLogEntry(request: FastifyRequest, reply: FastifyReply): object {
  const { access, trace } = request;
  return {
    method: request.method,
    route: getRoute(request),
    status: getStatus(request, reply),
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes: request.bodyBytes,
    address: request.ip,
    ...(access && { project: access.project.name, key: access.key }),
    ...(trace !== undefined && hasQuery(trace) && { query: describeTrace(trace) }),
  };
}

/** Returns whether a request has queried records, instead of lists such as those of funnels. */
function hasQuery({ answer, spent }: QueryTrace): boolean {
  return answer !== undefined || spent.running > 0;
}

function describeTrace(trace: QueryTrace): object {
  const { answer, read } = trace;
  return { ...(answer && { answer }), ...roundTimes(trace), ...(read && { read }) };
}
