import { setMaxListeners } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../../base/json.ts';
import type { Access } from '../../../queries/access.ts';
import { answerEndpoint } from '../../../queries/endpoints/answer-endpoint.ts';
import { apiErrors } from '../../../queries/endpoints/api-errors.ts';
import type { Endpoint, EndpointAnswer } from '../../../queries/endpoints/endpoint.ts';
import { type QueryExplanation, SERVED_ENDPOINTS, wantsExplanation } from '../../../queries/endpoints/explain.ts';
import { listNames } from '../../../queries/endpoints/parameter.ts';
import { addLastKey } from '../../../queries/endpoints/warnings.ts';
import { HttpError } from '../../../queries/http-error.ts';
import { type QueryTrace, roundTimes, withTrace } from '../../analytics/query-trace.ts';
import { FairBudget } from '../../locks/fair-budget.ts';
import { raceAbort } from '../../locks/race-abort.ts';
import { grantAccess } from '../access/access.ts';
import { assertSameSite, isCrossSite } from '../access/cross-site.ts';
import { assertSignable, grantSignedAccess, isSigned } from '../access/signed-access.ts';
import { onResponseEnd } from '../connections/response-end.ts';
import { mergeParameters } from '../requests/parameters.ts';
import { addBodyParsers } from '../requests/read-bodies.ts';
import { assertStreamable, sendLines } from '../responses/export-stream.ts';
import { assertCallback, getCallback, QUERY_PREFIX, sendQueryAnswer } from '../responses/query-answers.ts';
import type { ServerLimits } from '../settings/limits.ts';
import { type DatasetsService, getAccess } from './add-dataset-routes.ts';
import { createEndpointServices, type ServedParts } from './endpoint-services.ts';
import { createQuerySchema } from './query-schema.ts';

/**
 * Adds the routes of the query interface, with GET and POST.
 *
 * @param tooLate Aborts when the server stops waiting for queries. Unfinished requests fail with its reason.
 */
export function addQueryRoutes(
  app: FastifyInstance,
  services: ServedParts,
  limits: ServerLimits,
  tooLate: AbortSignal,
): void {
  // Every active request adds a listener.
  setMaxListeners(0, tooLate);
  // Endpoints validate their own parameters.
  app.setValidatorCompiler(() => () => true);
  addAccess(app, services.datasets, limits);
  const answering = createEndpointServices(services);
  const responses = new FairBudget(limits.answerBytesAtOnce);
  const files = new FairBudget(limits.answerFileBytesAtOnce);
  for (const endpoint of SERVED_ENDPOINTS) {
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      assertCallback(request, endpoint);
      assertOnce(request, endpoint);
      if (endpoint.hasLines) assertStreamable(request);
      const parameters = mergeParameters(request);
      if (getAccess(request).isSigned) assertSignable(endpoint, parameters);
      const isExplained = wantsExplanation(endpoint, parameters);
      const signal = createDisconnectSignal(request, reply);
      const trace: QueryTrace = { spent: { waiting: 0, running: 0 } };
      request.trace = trace;
      const pending = withTrace(trace, () =>
        answerEndpoint(answering, getAccess(request), endpoint.path, parameters, signal),
      );
      const found = await withoutSocketTimeout(request, limits, raceAbort(tooLate, pending));
      const response = isExplained ? addExplanation(found, trace) : found;
      const { text } = response;
      if (typeof text === 'string') reserve(responses, text.length, request, reply);
      else {
        onResponseEnd(request.raw, reply.raw, () => text.stream.destroy());
        reserve(files, text.bytes, request, reply);
      }
      if (typeof text === 'string' || endpoint.hasLines !== true) return sendQueryAnswer(request, reply, response);
      return sendLines(request, reply, text.stream, limits.requestMs);
    };
    const url = QUERY_PREFIX + endpoint.path;
    app.get(url, { schema: createQuerySchema(endpoint, 'querystring') }, handle);
    app.post(url, { schema: createQuerySchema(endpoint, 'body') }, handle);
  }
}

/**
 * Adds authentication by secret or, deprecated, by signature. A signature covers all parameters, so the body of a
 * signed POST is read before its sender is known.
 */
function addAccess(app: FastifyInstance, datasets: DatasetsService, limits: ServerLimits): void {
  app.addHook('onRequest', async (request) => {
    const { authorization } = request.headers;
    const query = request.query as JsonObject;
    const isScript = getCallback(request) !== undefined;
    // A browser may add a remembered secret to a signed cross-site script. The signature alone is enough.
    if (authorization !== undefined && !(isSigned(query) && isCrossSite(request, isScript))) {
      assertSameSite(request, isScript);
      request.access = await grantAccess(datasets, authorization);
    } else if (request.method !== 'POST') request.access = await grantWithoutSecret(datasets, query);
  });
  const budget = new FairBudget(limits.queryBytesAtOnce);
  const unknownBudget = new FairBudget(limits.unknownBytesAtOnce);
  addBodyParsers(app, limits, ({ access, ip }) =>
    access === undefined
      ? { max: limits.unknownBytes, budget: unknownBudget, holder: ip }
      : { max: limits.queryBytes, budget, holder: access.project.name },
  );
  app.addHook('preValidation', async (request) => {
    request.access ??= await grantWithoutSecret(datasets, mergeParameters(request));
  });
}

/** @throws {HttpError} if the parameters have no valid signature of a project */
function grantWithoutSecret(datasets: DatasetsService, parameters: JsonObject): Promise<Access> {
  return isSigned(parameters) ? grantSignedAccess(datasets, parameters) : grantAccess(datasets, undefined);
}

/** Adds how a response was found as the last key of its object. CSV is as without. */
function addExplanation(response: EndpointAnswer, trace: QueryTrace): EndpointAnswer {
  const { type, text } = response;
  if (type !== 'application/json' || !(typeof text === 'string' || 'replaceLastByte' in text)) return response;
  const { waitedMs, ranMs } = roundTimes(trace);
  const explanation: QueryExplanation = { answer: trace.answer, waited_ms: waitedMs, ran_ms: ranMs, read: trace.read };
  return { type, text: addLastKey(text, 'explain', explanation) };
}

/** @throws {HttpError} if a query string has a parameter twice */
function assertOnce({ query }: FastifyRequest, { parameters }: Endpoint): void {
  const names = listNames(parameters);
  for (const [name, value] of Object.entries(query as JsonObject))
    if (Array.isArray(value) && names.includes(name)) throw apiErrors.invalid(name, 'It is given twice.');
}

/**
 * Reserves memory or disk space for a response until it is sent.
 *
 * @throws {HttpError} 503 if the responses being sent leave no room
 */
function reserve(budget: FairBudget, bytes: number, request: FastifyRequest, reply: FastifyReply): void {
  const { name } = getAccess(request).project;
  if (!budget.take(name, bytes)) {
    const message = 'The server is sending too many responses: retry later';
    throw new HttpError(503, message, { 'Retry-After': '5' });
  }
  onResponseEnd(request.raw, reply.raw, () => budget.giveBack(name, bytes));
}

/** Returns a signal that aborts when the client disconnects. */
function createDisconnectSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const reason = new HttpError(499, 'The client disconnected before the response');
  onResponseEnd(request.raw, reply.raw, () => controller.abort(reason));
  return controller.signal;
}

/** Waits for work without the timeout for idle sockets, which a long query would exceed. */
async function withoutSocketTimeout<Result>(
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
