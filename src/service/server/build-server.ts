import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Access } from '../../queries/access.ts';
import { HttpError } from '../../queries/http-error.ts';
import type { QueryTrace } from '../analytics/query-trace.ts';
import { FairBudget } from '../locks/fair-budget.ts';
import type { FolderHold } from '../storage/folder-hold.ts';
import { grantAccess } from './access/access.ts';
import { assertSameSite } from './access/cross-site.ts';
import type { Certificate } from './connections/certificate.ts';
import { TlsSniffingServer } from './connections/tls-sniffing-server.ts';
import { createLogEntry } from './monitoring/log-entry.ts';
import { Metrics, UNREAD } from './monitoring/metrics.ts';
import { checkHeaders } from './requests/head-refusal.ts';
import { assertDecodable } from './requests/parameters.ts';
import { addBodyParsers } from './requests/read-bodies.ts';
import type { BodyRules } from './requests/read-body.ts';
import { answerFailure, CONNECT_REFUSAL, createClientRefusal, sendUnread } from './responses/error-answers.ts';
import { toQueryUrl } from './responses/query-answers.ts';
import { addDatasetRoutes, getAccess } from './routes/add-dataset-routes.ts';
import { addImportRoutes } from './routes/add-import-routes.ts';
import { addOpenRoutes, type MetricsAccess } from './routes/add-open-routes.ts';
import { addPageRoutes } from './routes/add-page-routes.ts';
import { addQueryRoutes } from './routes/add-query-routes.ts';
import { addSavedFilterRoutes, type SavedFiltersService } from './routes/add-saved-filter-routes.ts';
import { AllowedMethods } from './routes/allowed-methods.ts';
import { describeRoutes } from './routes/describe-routes.ts';
import type { ServedParts } from './routes/endpoint-services.ts';
import type { PageFiles } from './routes/page-files.ts';
import { LIMITS, type ServerLimits } from './settings/limits.ts';
import { checkPlainHttp, type PlainHttp } from './settings/plain-http.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the secret or signature is verified. */
    access: Access | undefined;
    /** Size of the body, once read. */
    bodyBytes: number;
    /** The limits of the body; undefined without a body. */
    bodyRules: BodyRules | undefined;
    /** The status of an error. JSONP sends errors with status 200. */
    refusedWith: number | undefined;
    /** Set for requests of the query interface. */
    trace: QueryTrace | undefined;
    /** Work on the body, which continues when the client disconnects. */
    work: Promise<unknown> | undefined;
  }
  interface FastifyContextConfig {
    /** Allows plain HTTP, if neither the request nor the response has a secret. */
    plain?: 'anywhere' | 'behind proxy';
  }
}

export interface ServerOptions extends PlainHttp {
  readonly certificate: Certificate;
  readonly log: FastifyBaseLogger;
  /** The number of background events by kind. */
  readonly events?: ReadonlyMap<string, number>;
  /** The page, served at `/`. */
  readonly page?: PageFiles;
  /** The saved filters that imports are matched with. The server closes them when it stops. */
  readonly filters: SavedFiltersService;
  readonly limits?: Partial<ServerLimits>;
  /** Access to the metrics. By default, everyone reads those that name no project. */
  readonly metrics?: MetricsAccess;
  /** The right to change the data folder, if servers share it: without it, nothing is acknowledged. */
  readonly hold?: FolderHold | undefined;
}

/** A server that is ready to listen. */
export interface BuiltServer {
  /** @throws {Error} the system error if the address cannot be used */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Uses another certificate for new connections. */
  renew(certificate: Certificate): void;
  /** Finishes active requests, then closes the datasets. */
  stop(): Promise<void>;
}

/** Headers of every response. */
export const COMMON_HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** The error of unfinished queries. Imports get none, as they may or may not be stored. */
const STOPPED = new HttpError(503, 'The server is stopping: retry this request later', {
  'Retry-After': '5',
  Connection: 'close',
});

/** Builds the HTTPS server of both interfaces. */
export async function buildServer(services: ServedParts, options: ServerOptions): Promise<BuiltServer> {
  const { datasets, executor } = services;
  const proxyLimits = options.behindProxy ? { connectionsPerAddress: Number.POSITIVE_INFINITY } : {};
  const limits = { ...LIMITS, ...proxyLimits, ...options.limits };
  const budget = new FairBudget(limits.bodyBytesAtOnce);
  const metrics = new Metrics(budget, executor, datasets, options.filters, options.events);
  const front = new TlsSniffingServer(options.certificate, limits);
  let stopping = false;
  const tooLate = new AbortController();
  const refuseUnread = (refusal: HttpError, socket: Duplex) => {
    sendUnread(refusal, socket);
    metrics.countUnreadRequest(refusal.status);
    options.log.info({ route: UNREAD, status: refusal.status }, 'request');
  };

  const app = fastify({
    serverFactory: (handler) =>
      front.handle(handler).on('connect', (_, socket) => refuseUnread(CONNECT_REFUSAL, socket)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.headerBytes },
    rewriteUrl: ({ url = '' }) => toQueryUrl(url),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    // The schemas of responses are documentation: what endpoints return is sent whole.
    schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify } },
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    genReqId: () => randomUUID(),
    trustProxy: (_, hop) => options.behindProxy === true && hop === 0,
    return503OnClosing: false,
    clientErrorHandler(error, socket) {
      const refusal = createClientRefusal(error);
      if (refusal === undefined || !socket.writable) socket.destroy();
      else refuseUnread(refusal, socket);
    },
    frameworkErrors(error, request, reply) {
      // None of the hooks below runs for a malformed path.
      reply.raw.once('finish', () => record(request, reply));
      answerFailure(refusePlainHttp(request) ?? error, request, reply.headers(COMMON_HEADERS));
    },
  });
  app.decorateRequest('access', undefined);
  app.decorateRequest('refusedWith', undefined);
  app.decorateRequest('trace', undefined);
  app.setErrorHandler((error, request, reply) => void answerFailure(error, request, reply));

  const record = (request: FastifyRequest, reply: FastifyReply) => {
    metrics.countRequest(request, reply);
    request.log.info(createLogEntry(request, reply), 'request');
  };
  const refusePlainHttp = (request: FastifyRequest) => checkPlainHttp(request, options);

  const allowed = new AllowedMethods(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(COMMON_HEADERS);
    const refusal =
      refusePlainHttp(request) ?? checkHeaders(request) ?? (request.is404 ? allowed.createRefusal(request) : undefined);
    if (refusal !== undefined) throw refusal;
    assertDecodable(request.raw.url ?? '');
  });
  app.addHook('onResponse', async (request, reply) => {
    record(request, reply);
    discardRest(request, limits.discardMs);
  });

  const { hold } = options;
  if (hold !== undefined) {
    // Also for queries: another server may have newer data.
    app.addHook('onSend', async (request, reply) => {
      const isError = reply.statusCode >= 400 || request.refusedWith !== undefined;
      if (!isError && request.routeOptions.config.plain === undefined) hold.assertHeld();
    });
  }

  await describeRoutes(app);
  addOpenRoutes(app, metrics, options.metrics ?? { isOpen: true }, () => stopping);
  if (options.page !== undefined) addPageRoutes(app, options.page);
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', async (request) => {
      assertSameSite(request);
      request.access = await grantAccess(datasets, request.headers.authorization);
    });
    addBodyParsers(guarded, limits, (request) => {
      return { max: limits.bodyBytes, budget, holder: getAccess(request).project.name };
    });
    addDatasetRoutes(guarded, datasets);
    addImportRoutes(guarded, datasets, options.filters, metrics);
    addSavedFilterRoutes(guarded, options.filters);
  });
  await app.register(async (queryRoutes) => addQueryRoutes(queryRoutes, services, limits, tooLate.signal));
  await app.ready();

  return {
    listen: (port, host) => front.listen(port, host),
    renew: (certificate) => front.renew(certificate),
    async stop() {
      stopping = true;
      await Promise.all([app.close(), front.stop(limits.stopMs, () => tooLate.abort(STOPPED))]);
      await options.filters.close();
      await services.close();
    },
  };
}

/** Discards an unread body for a limited time, so that the client finishes sending and reads the response. */
function discardRest({ raw }: FastifyRequest, maxMs: number): void {
  if (raw.complete) return;
  raw.resume();
  setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, maxMs).unref();
}
