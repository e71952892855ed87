import type { FastifyRequest } from 'fastify';
import { HttpError } from './http-error.ts';

/** Why the headers of a request are refused. Node would answer those that are refused here without a word. */
export function headRefusal({ raw }: FastifyRequest): HttpError | undefined {
  const { httpVersion, headers } = raw;
  if (httpVersion !== '1.1') return undefined;
  if (headers.host === undefined) return new HttpError(400, 'The request has no Host header, which HTTP/1.1 needs');
  if (headers.expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect)) return undefined;
  return new HttpError(417, 'The server knows no Expect header but 100-continue: leave it out');
}
