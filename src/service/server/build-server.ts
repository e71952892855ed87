import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { FairBudget } from '../../lang/util/fair-budget.ts';
import type { Access } from '../datasets/access.ts';
import { grantAccess } from './access.ts';
import { addDatasetRoutes, getAccess } from './add-dataset-routes.ts';
import { addExportRoutes, type ServedParts } from './add-export-routes.ts';
import { addImportRoutes } from './add-import-routes.ts';
import { addOpenRoutes } from './add-open-routes.ts';
import { addPageRoutes } from './add-page-routes.ts';
import { AllowedMethods } from './allowed-methods.ts';
import type { Certificate } from './certificate.ts';
import { assertSameSite } from './cross-site.ts';
import { describeRoutes } from './describe-routes.ts';
import { answerFailure, CONNECT_REFUSAL, clientRefusal, sendUnread } from './error-answers.ts';
import { headRefusal } from './head-refusal.ts';
import { HttpError } from './http-error.ts';
import { LIMITS, type ServerLimits } from './limits.ts';
import { createLogEntry } from './log-entry.ts';
import { Metrics, UNREAD } from './metrics.ts';
import type { PageFiles } from './page-files.ts';
import { assertDecodable } from './parameters.ts';
import { checkPlainHttp, type PlainHttp } from './plain-http.ts';
import { addBodyParsers } from './read-bodies.ts';
import type { BodyRules } from './read-body.ts';
import { TlsSniffingServer } from './tls-sniffing-server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the secret of the request opens; undefined until that is known. */
    access: Access | undefined;
    /** Of the body that was read. */
    bodyBytes: number;
    /** The limits of its body; undefined if it has none. */
    bodyRules: BodyRules | undefined;
    /** The status of the refusal, which may go out with status 200. */
    refusedWith: number | undefined;
    /** What goes on with the body, even when whoever sent it is gone. */
    work: Promise<unknown> | undefined;
  }
  interface FastifyContextConfig {
    /** Where it may be asked over plain HTTP, as neither the request nor the answer has a secret; nowhere without. */
    plain?: 'anywhere' | 'behind proxy';
  }
}

export interface ServerOptions extends PlainHttp {
  readonly certificate: Certificate;
  readonly log: FastifyBaseLogger;
  /** How often each kind of event has happened in the background. */
  readonly events?: ReadonlyMap<string, number>;
  /** What stands at `/`. */
  readonly page?: PageFiles;
  readonly limits?: Partial<ServerLimits>;
}

/** The service, ready to listen. */
export interface BuiltServer {
  /** @throws {Error} of the system where the address cannot be used. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Shows another certificate to whoever connects from now on. */
  renew(certificate: Certificate): void;
  /** Finishes what is under way, then closes the datasets. */
  stop(): Promise<void>;
}

/** Headers of all answers. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Of queries. Nothing is said of imports, as nobody knows whether they are stored. */
const STOPPED = new HttpError(503, 'The server stops before this is answered: repeat this request later', {
  'Retry-After': '5',
  Connection: 'close',
});

/** The interfaces over HTTPS. */
export async function buildServer(services: ServedParts, options: ServerOptions): Promise<BuiltServer> {
  const { datasets, desk } = services;
  const apart = options.behindProxy ? { connectionsPerAddress: Number.POSITIVE_INFINITY } : {};
  const limits = { ...LIMITS, ...apart, ...options.limits };
  const budget = new FairBudget(limits.bodyBytesAtOnce);
  const metrics = new Metrics(budget, desk, datasets, options.events);
  const front = new TlsSniffingServer(options.certificate, limits);
  let stopping = false;
  const tooLate = new AbortController();
  const refuseUnread = (refusal: HttpError, socket: Duplex) => {
    sendUnread(refusal, socket);
    metrics.refusedUnread(refusal.status);
    options.log.info({ route: UNREAD, status: refusal.status }, 'request');
  };

  const app = fastify({
    serverFactory: (handler) =>
      front.handle(handler).on('connect', (_, socket) => refuseUnread(CONNECT_REFUSAL, socket)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.headerBytes },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    genReqId: () => randomUUID(),
    trustProxy: (_, hop) => options.behindProxy === true && hop === 0,
    return503OnClosing: false,
    clientErrorHandler(error, socket) {
      const refusal = clientRefusal(error);
      if (refusal === undefined || !socket.writable) socket.destroy();
      else refuseUnread(refusal, socket);
    },
    frameworkErrors(error, request, reply) {
      // None of the hooks below runs for a path that cannot be read.
      reply.raw.once('finish', () => account(request, reply));
      answerFailure(refusalOfPlain(request) ?? error, request, reply.headers(HEADERS));
    },
  });
  app.decorateRequest('access', undefined);
  app.decorateRequest('refusedWith', undefined);
  app.setErrorHandler((error, request, reply) => void answerFailure(error, request, reply));

  const account = (request: FastifyRequest, reply: FastifyReply) => {
    metrics.answered(request, reply);
    request.log.info(createLogEntry(request, reply), 'request');
  };
  const refusalOfPlain = (request: FastifyRequest) => checkPlainHttp(request, options);

  const allowed = new AllowedMethods(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const refusal =
      refusalOfPlain(request) ?? headRefusal(request) ?? (request.is404 ? allowed.refusalOf(request) : undefined);
    if (refusal !== undefined) throw refusal;
    assertDecodable(request.raw.url ?? '');
  });
  app.addHook('onResponse', async (request, reply) => {
    account(request, reply);
    discardRest(request, limits.discardMs);
  });

  await describeRoutes(app);
  addOpenRoutes(app, metrics, () => stopping);
  if (options.page !== undefined) addPageRoutes(app, options.page);
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', async (request) => {
      assertSameSite(request);
      request.access = await grantAccess(datasets, request.headers.authorization);
    });
    addBodyParsers(guarded, limits, (request) => {
      return { most: limits.bodyBytes, budget, holder: getAccess(request).project.name };
    });
    addDatasetRoutes(guarded, datasets);
    addImportRoutes(guarded, datasets, metrics);
  });
  await app.register(async (exporting) => addExportRoutes(exporting, services, limits, tooLate.signal));
  await app.ready();

  return {
    listen: (port, host) => front.listen(port, host),
    renew: (certificate) => front.renew(certificate),
    async stop() {
      stopping = true;
      await Promise.all([app.close(), front.stop(limits.stopMs, () => tooLate.abort(STOPPED))]);
      await services.close();
    },
  };
}

/** Throws away what comes of a body that nobody read, so that its sender comes to read the answer; but not for long. */
function discardRest({ raw }: FastifyRequest, forMs: number): void {
  if (raw.complete) return;
  raw.resume();
  setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, forMs).unref();
}
