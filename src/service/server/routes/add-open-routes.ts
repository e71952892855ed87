import type { FastifyInstance } from 'fastify';
import { HttpError } from '../../../queries/http-error.ts';
import { areEqualHashes, hashSecret } from '../../datasets/catalog/secrets.ts';
import { CHALLENGE, parseBasic } from '../access/access.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { createOpenSchema } from './schemas.ts';

/** Access to the metrics. */
export interface MetricsAccess {
  /** The user name of Basic authentication that also sees the names of projects and keys. */
  readonly secret?: string | undefined;
  /** Whether everyone else reads the metrics without these names. */
  readonly isOpen: boolean;
}

/** Adds the routes that need no secret of a project and return none. */
export function addOpenRoutes(
  app: FastifyInstance,
  metrics: Metrics,
  access: MetricsAccess,
  isStopping: () => boolean,
): void {
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
  app.get('/metrics', { schema: metricsSchema, config: { plain: 'behind proxy' } }, async ({ headers }, reply) => {
    const hasSecret = isMetricsSecret(headers.authorization, access.secret);
    if (!hasSecret && !access.isOpen) throw createMetricsRefusal(access);
    return reply.type(metrics.contentType).send(await metrics.text(hasSecret));
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

function isMetricsSecret(authorization: string | undefined, secret: string | undefined): boolean {
  if (authorization === undefined || secret === undefined) return false;
  const { user = '', password } = parseBasic(authorization) ?? {};
  return password === '' && areEqualHashes(hashSecret(user), hashSecret(secret));
}

function createMetricsRefusal({ secret }: MetricsAccess): HttpError {
  const message =
    secret === undefined
      ? 'Metrics need a secret here: start the server with --metrics-secret, or with --open-metrics to show them to everyone'
      : 'Metrics need the secret of --metrics-secret: send it as the user name of HTTP Basic authentication, with an empty password';
  return new HttpError(401, message, CHALLENGE);
}
