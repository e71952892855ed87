import type { FastifyRequest } from 'fastify';
import { HttpError } from '../../../queries/http-error.ts';

/**
 * Creates the error of a request with unusable headers, or returns undefined. Node.js would refuse these requests
 * without a message.
 */
export function checkHeaders({ raw }: FastifyRequest): HttpError | undefined {
  const { httpVersion, headers, rawHeaders } = raw;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  // A proxy could read the other one.
  if (hosts.length > 1) return new HttpError(400, 'There are several Host headers: send one');
  if (httpVersion !== '1.1') return undefined;
  if (headers.host === undefined) return new HttpError(400, 'The Host header is missing: HTTP/1.1 requires it');
  if (headers.expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect)) return undefined;
  return new HttpError(417, 'Unsupported Expect header: send 100-continue or leave it out');
}
