import type { FastifyReply, FastifyRequest } from 'fastify';
import type { QueryTrace } from '../../analytics/query-trace.ts';
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
    ms: roundTenths(reply.elapsedTime),
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

function describeTrace({ answer, spent, read }: QueryTrace): object {
  const [waitedMs, ranMs] = [spent.waiting, spent.running].map(roundTenths);
  return { ...(answer && { answer }), waitedMs, ranMs, ...(read && { read }) };
}

function roundTenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
