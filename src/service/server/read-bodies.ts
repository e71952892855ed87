import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FairBudget } from '../../lang/util/fair-budget.ts';
import { HttpError } from './http-error.ts';
import type { ServerLimits } from './limits.ts';
import { mergeParameters, parseParameters } from './parameters.ts';
import { createTooLargeError, readBody } from './read-body.ts';
import { onResponseEnd } from './response-end.ts';

/** How many bytes a body may have, and who holds them of which budget. */
export interface BodyAllowance {
  readonly most: number;
  readonly budget: FairBudget;
  readonly holder: string;
}

/**
 * Reads bodies as parameters, and puts those of the query string with them. Until it is called, nothing of a body is read. What a request may
 * send is asked once its access is known, as far as that is known without its body.
 */
export function addBodyParsers(
  app: FastifyInstance,
  limits: ServerLimits,
  allowanceOf: (request: FastifyRequest) => BodyAllowance,
): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('bodyRules', undefined);
  app.decorateRequest('work', undefined);

  app.addHook('preParsing', async (request, reply, payload) => {
    const { headers } = request;
    if (request.method === 'GET' || request.method === 'HEAD') return payload;
    const declared = declaredBytes(request);
    if (declared === 0) return payload;
    const { most, budget, holder } = allowanceOf(request);
    if (declared !== undefined && declared > most) throw createTooLargeError(most);
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
      throw new HttpError(415, 'The body is compressed: send it as it is', { 'Accept-Encoding': 'identity' });
    }
    if (!budget.hasRoom(holder, declared ?? 0)) throw noRoom();
    let held = 0;
    const onBytes = (bytes: number) => {
      if (!budget.take(holder, bytes)) throw noRoom();
      held += bytes;
    };
    const { slowMs, leastBytesPerSecond } = limits;
    request.bodyRules = { declared, most, slowMs, leastBytesPerSecond, onBytes };
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

function noRoom(): HttpError {
  const message = 'The server has as many requests as it can hold: repeat this one in a second';
  return new HttpError(503, message, { 'Retry-After': '1' });
}

/** How long the body of a request is; undefined where only its end will tell. */
function declaredBytes({ headers }: FastifyRequest): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}
