import type { FastifyRequest } from 'fastify';
import { HttpError } from './http-error.ts';

/** Requests that the page of the server itself sends, and those that people type. */
const OWN_SITE: ReadonlySet<unknown> = new Set(['same-origin', 'none']);

/**
 * Returns whether a page of another site made a browser send a request. Programs send neither header. `Origin` only counts where
 * `Sec-Fetch-Site` is missing, since proxies may change the host.
 */
export function isCrossSite({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return !OWN_SITE.has(site);
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}

/** @throws {HttpError} for a request of another site, with which browsers send a secret that they remember */
export function assertSameSite(request: FastifyRequest): void {
  if (request.headers.authorization === undefined || !isCrossSite(request)) return;
  throw new HttpError(403, 'Secrets are refused in requests that another site makes a browser send');
}
