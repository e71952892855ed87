import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../../../queries/http-error.ts';
import type { FairBudget } from '../../locks/fair-budget.ts';
import { onResponseEnd } from '../connections/response-end.ts';
import type { ServerLimits } from '../settings/limits.ts';
import { mergeParameters, parseParameters } from './parameters.ts';
import { createTooLargeError, readBody } from './read-body.ts';

/** The maximum size of a body in bytes, and the budget and holder that pay for it. */
export interface BodyAllowance {
  readonly max: number;
  readonly budget: FairBudget;
  readonly holder: string;
}

/**
 * Adds parsers that read bodies as parameters and merge in those of the query string.
 *
 * @param getAllowance Called before the body is read, after the hooks that grant access.
 */
export function addBodyParsers(
  app: FastifyInstance,
  limits: ServerLimits,
  getAllowance: (request: FastifyRequest) => BodyAllowance,
): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('bodyRules', undefined);
  app.decorateRequest('work', undefined);

  app.addHook('preParsing', async (request, reply, payload) => {
    const { headers } = request;
    if (request.method === 'GET' || request.method === 'HEAD') return payload;
    const declared = getDeclaredBytes(request);
    if (declared === 0) return payload;
    const { max, budget, holder } = getAllowance(request);
    if (declared !== undefined && declared > max) throw createTooLargeError(max);
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
      throw new HttpError(415, 'The body is compressed: send it uncompressed', { 'Accept-Encoding': 'identity' });
    }
    if (!budget.hasRoom(holder, declared ?? 0)) throw createBusyError();
    let held = 0;
    const onBytes = (bytes: number) => {
      if (!budget.take(holder, bytes)) throw createBusyError();
      held += bytes;
    };
    const { slowMs, minBytesPerSecond } = limits;
    request.bodyRules = { max, slowMs, minBytesPerSecond, onBytes };
    onResponseEnd(request.raw, reply.raw, async () => {
      await Promise.allSettled([request.work]);
      budget.giveBack(holder, held);
      held = 0;
    });
    if (headers.expect !== undefined) reply.raw.writeContinue();
    return payload;
  });

  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (request.bodyRules === undefined) return {};
    const body = await readBody(request.raw, request.bodyRules);
    request.bodyBytes = body.length;
    return parseParameters(body, request.headers['content-type']);
  });

  app.addHook('preValidation', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') request.body = mergeParameters(request);
  });
}

function createBusyError(): HttpError {
  const message = 'The server is receiving too many requests: retry in a second';
  return new HttpError(503, message, { 'Retry-After': '1' });
}

/** Returns the announced size of a body in bytes, or undefined for a chunked body. */
function getDeclaredBytes({ headers }: FastifyRequest): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}
