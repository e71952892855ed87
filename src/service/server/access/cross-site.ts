import type { FastifyRequest } from 'fastify';
import { HttpError } from '../../../queries/http-error.ts';

/** Values of `Sec-Fetch-Site` for requests of the server's own page and for typed URLs. */
const OWN_SITE: ReadonlySet<unknown> = new Set(['same-origin', 'none']);

/**
 * Reports whether a page of another site made a browser send a request. Programs send neither header. `Origin` only
 * counts if `Sec-Fetch-Site` is missing, since proxies may change the host. So does `Referer`, for scripts: old browsers
 * load them without an `Origin`.
 */
export function isCrossSite({ headers }: Pick<FastifyRequest, 'headers'>, isScript = false): boolean {
  const { host, referer } = headers;
  const origin = headers.origin ?? (isScript ? referer : undefined);
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return !OWN_SITE.has(site);
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}

/** @throws {HttpError} 403 for a cross-site request with a secret: browsers add secrets that they remember */
export function assertSameSite(request: FastifyRequest, isScript = false): void {
  if (request.headers.authorization === undefined || !isCrossSite(request, isScript)) return;
  throw new HttpError(403, 'Cross-site requests with a secret are refused');
}
