import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyBudget } from './body-budget.ts';
import type { Limits } from './limits.ts';
import { mergedParameters, parseParameters } from './parameters.ts';
import { readBody, tooLarge } from './read-body.ts';
import { Refusal } from './refusal.ts';
import { whenAnswered } from './when-answered.ts';

/** Reads bodies as parameters, and puts those of the query string with them. Until it is called, nothing of a body is read. */
export function readBodies(app: FastifyInstance, limits: Limits, budget: BodyBudget): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('work', undefined);

  app.addHook('preParsing', async (request, reply, payload) => {
    const { headers } = request;
    if (request.method === 'GET' || request.method === 'HEAD') return payload;
    const declared = declaredBytes(request);
    if (declared === 0) return payload;
    if (declared !== undefined && declared > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
      throw new Refusal(415, 'The body is compressed: send it as it is', { 'Accept-Encoding': 'identity' });
    }
    const bytes = declared ?? limits.bodyBytes;
    if (!budget.take(bytes)) {
      throw new Refusal(503, 'The server has as many requests as it can hold: repeat this one in a second', {
        'Retry-After': '1',
      });
    }
    whenAnswered(request.raw, reply.raw, async () => {
      await Promise.allSettled([request.work]);
      budget.giveBack(bytes);
    });
    if (headers.expect !== undefined) reply.raw.writeContinue();
    return payload;
  });

  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const body = await readBody(request.raw, declaredBytes(request), limits.bodyBytes);
    request.bodyBytes = body.length;
    return parseParameters(body, request.headers['content-type']);
  });

  app.addHook('preValidation', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') request.body = mergedParameters(request);
  });
}

/** How long the body of a request is; undefined where only its end will tell. */
function declaredBytes({ headers }: FastifyRequest): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}
