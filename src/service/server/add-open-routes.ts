import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';
import { createOpenSchema } from './schemas.ts';

/** What is answered without a secret, and tells none. */
export function addOpenRoutes(app: FastifyInstance, metrics: Metrics, isStopping: () => boolean): void {
  const status = (name: string) => ({
    description: name,
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', enum: [name] } },
  });
  const health = createOpenSchema('health', 'Whether the service takes requests', {
    200: status('ok'),
    503: status('stopping'),
  });
  app.get('/healthz', { schema: health, config: { plain: 'anywhere' } }, async (_, reply) => {
    if (isStopping()) reply.code(503);
    return { status: isStopping() ? 'stopping' : 'ok' };
  });

  const exposition = {
    description: 'In the text format of Prometheus',
    content: { 'text/plain': { schema: { type: 'string' } } },
  };
  const measures = createOpenSchema('metrics', 'What Prometheus asks for', { 200: exposition });
  app.get('/metrics', { schema: measures, config: { plain: 'behind proxy' } }, async (_, reply) => {
    return reply.type(metrics.contentType).send(await metrics.text());
  });

  const document = { description: 'This document', type: 'object', additionalProperties: true };
  const openApi = createOpenSchema('openApi', 'The description of the interfaces', { 200: document });
  let text = '';
  app.addHook('onReady', async () => {
    text = JSON.stringify(app.swagger());
  });
  app.get('/openapi.json', { schema: openApi }, async (_, reply) => {
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
