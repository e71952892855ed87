import { setMaxListeners } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FairBudget } from '../../lang/util/fair-budget.ts';
import type { JsonObject } from '../../lang/util/json.ts';
import { raceAbort } from '../../lang/util/race-abort.ts';
import type { Access } from '../datasets/access.ts';
import { grantAccess } from './access.ts';
import { type DatasetsService, getAccess } from './add-dataset-routes.ts';
import { assertSameSite, isCrossSite } from './cross-site.ts';
import { answerEndpoint } from './endpoints/answer-endpoint.ts';
import { apiErrors } from './endpoints/api-errors.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { ENDPOINTS } from './endpoints/endpoints.ts';
import { listNames } from './endpoints/parameter.ts';
import type { Services } from './endpoints/request-context.ts';
import { assertCallback, EXPORT_PREFIX, sendExport } from './export-answers.ts';
import { createExportSchema } from './export-schema.ts';
import { HttpError } from './http-error.ts';
import type { ServerLimits } from './limits.ts';
import { mergeParameters } from './parameters.ts';
import { addBodyParsers } from './read-bodies.ts';
import { onResponseEnd } from './response-end.ts';
import { assertSignable, grantSignedAccess, isSigned } from './signed-access.ts';

/** What a server answers from. */
export interface ServedParts extends Services {
  readonly datasets: DatasetsService;
  close(): Promise<void>;
}

/** The operations of the Data Export interface, by GET and by POST. Those that are not answered when it is too late fail with its reason. */
export function addExportRoutes(
  app: FastifyInstance,
  services: ServedParts,
  limits: ServerLimits,
  tooLate: AbortSignal,
): void {
  // Each request that is under way listens.
  setMaxListeners(0, tooLate);
  // Endpoints read their parameters themselves.
  app.setValidatorCompiler(() => () => true);
  addAccess(app, services.datasets, limits);
  const texts = new FairBudget(limits.answerBytesAtOnce);
  const files = new FairBudget(limits.answerFileBytesAtOnce);
  for (const endpoint of ENDPOINTS) {
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      assertCallback(request);
      assertOnce(request, endpoint);
      const parameters = mergeParameters(request);
      if (getAccess(request).isSigned) assertSignable(endpoint, parameters);
      const asked = answerEndpoint(services, getAccess(request), endpoint.path, parameters, goneSignal(request, reply));
      const answered = await patiently(request, limits, raceAbort(tooLate, asked));
      const { text } = answered;
      if (typeof text === 'string') hold(texts, text.length, request, reply);
      else {
        onResponseEnd(request.raw, reply.raw, () => text.stream.destroy());
        hold(files, text.bytes, request, reply);
      }
      return sendExport(request, reply, answered);
    };
    const url = EXPORT_PREFIX + endpoint.path;
    app.get(url, { schema: createExportSchema(endpoint, 'querystring') }, answer);
    app.post(url, { schema: createExportSchema(endpoint, 'body') }, answer);
  }
}

/**
 * Lets in who has a secret or, by the deprecated method, a signature. A signature is over all parameters, so the body of a signed POST is read
 * before its sender is known.
 */
function addAccess(app: FastifyInstance, datasets: DatasetsService, limits: ServerLimits): void {
  app.addHook('onRequest', async (request) => {
    const { authorization } = request.headers;
    const query = request.query as JsonObject;
    // A browser may send the secret that it remembers with a signed script of another site, which needs none.
    if (authorization !== undefined && !(isSigned(query) && isCrossSite(request))) {
      assertSameSite(request);
      request.access = await grantAccess(datasets, authorization);
    } else if (request.method !== 'POST') request.access = await accessWithoutSecret(datasets, query);
  });
  const budget = new FairBudget(limits.queryBytesAtOnce);
  const unknownBudget = new FairBudget(limits.unknownBytesAtOnce);
  addBodyParsers(app, limits, ({ access, ip }) =>
    access === undefined
      ? { most: limits.unknownBytes, budget: unknownBudget, holder: ip }
      : { most: limits.queryBytes, budget, holder: access.project.name },
  );
  app.addHook('preValidation', async (request) => {
    request.access ??= await accessWithoutSecret(datasets, mergeParameters(request));
  });
}

/** @throws {HttpError} if the parameters have no signature that opens a project */
function accessWithoutSecret(datasets: DatasetsService, parameters: JsonObject): Promise<Access> {
  return isSigned(parameters) ? grantSignedAccess(datasets, parameters) : grantAccess(datasets, undefined);
}

/** @throws {HttpError} where a query string gives a parameter twice. */
function assertOnce({ query }: FastifyRequest, { parameters }: Endpoint): void {
  const names = listNames(parameters);
  for (const [name, value] of Object.entries(query as JsonObject))
    if (Array.isArray(value) && names.includes(name)) throw apiErrors.invalid(name, 'It is given twice.');
}

/** @throws {HttpError} where the answers that are on their way leave no room for another one. */
function hold(budget: FairBudget, bytes: number, request: FastifyRequest, reply: FastifyReply): void {
  const { name } = getAccess(request).project;
  if (!budget.take(name, bytes)) {
    const message = 'The server has as many answers on their way as it can hold: repeat this request later';
    throw new HttpError(503, message, { 'Retry-After': '5' });
  }
  onResponseEnd(request.raw, reply.raw, () => budget.giveBack(name, bytes));
}

/** Comes when nobody waits for the answer any more. */
function goneSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const reason = new HttpError(499, 'The connection closed before the answer');
  onResponseEnd(request.raw, reply.raw, () => gone.abort(reason));
  return gone.signal;
}

/** Work during which neither side of a connection says anything, for longer than that may otherwise last. */
async function patiently<Result>(
  { raw }: FastifyRequest,
  limits: ServerLimits,
  work: Promise<Result>,
): Promise<Result> {
  raw.socket.setTimeout(0);
  try {
    return await work;
  } finally {
    raw.socket.setTimeout(limits.requestMs);
  }
}
