import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';
import { createOpenSchema } from './schemas.ts';

/** Adds the routes that need no secret and return none. */
export function addOpenRoutes(app: FastifyInstance, metrics: Metrics, isStopping: () => boolean): void {
  const status = (name: string) => ({
    description: name,
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', enum: [name] } },
  });
  const health = createOpenSchema('health', 'Check whether the service accepts requests', {
    200: status('ok'),
    503: status('stopping'),
  });
  app.get('/healthz', { schema: health, config: { plain: 'anywhere' } }, async (_, reply) => {
    if (isStopping()) reply.code(503);
    return { status: isStopping() ? 'stopping' : 'ok' };
  });

  const exposition = {
    description: 'Prometheus text format',
    content: { 'text/plain': { schema: { type: 'string' } } },
  };
  const metricsSchema = createOpenSchema('metrics', 'Get metrics for Prometheus', { 200: exposition });
  app.get('/metrics', { schema: metricsSchema, config: { plain: 'behind proxy' } }, async (_, reply) => {
    return reply.type(metrics.contentType).send(await metrics.text());
  });

  const document = { description: 'OpenAPI document', type: 'object', additionalProperties: true };
  const openApi = createOpenSchema('openApi', 'Get the OpenAPI document of this server', { 200: document });
  let json = '';
  app.addHook('onReady', async () => {
    json = JSON.stringify(app.swagger());
  });
  app.get('/openapi.json', { schema: openApi }, async (_, reply) => {
    return reply.type('application/json; charset=utf-8').send(json);
  });
}
