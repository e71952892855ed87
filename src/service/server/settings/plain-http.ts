import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '../../../queries/http-error.ts';

/** The options that allow requests without TLS. */
export interface PlainHttp {
  /** Allows requests from a proxy with `X-Forwarded-Proto: https`. */
  readonly behindProxy?: boolean;
  /** Allows requests from this machine. */
  readonly allowHttp?: boolean;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Reports whether a host is a loopback address, which only this machine can reach. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host === 'localhost';
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** Creates the error of a request over plain HTTP that is not allowed, or returns undefined. */
export function checkPlainHttp(request: FastifyRequest, { behindProxy, allowHttp }: PlainHttp): HttpError | undefined {
  const { socket, headers } = request.raw;
  if ((socket as TLSSocket).encrypted) return undefined;
  const { plain } = request.routeOptions.config;
  if (plain === 'anywhere') return undefined;
  if (allowHttp && isLoopback(socket.remoteAddress ?? '')) return undefined;
  if (behindProxy) {
    // Prometheus on the same machine does not go through the proxy.
    if (plain === 'behind proxy') return undefined;
    const forwarded = [headers['x-forwarded-proto'] ?? ''].flat().join().split(',');
    if (forwarded.every((protocol) => protocol.trim().toLowerCase() === 'https')) return undefined;
    return new HttpError(
      403,
      'Plain HTTP is refused: use https:// to reach the proxy, which must set X-Forwarded-Proto',
    );
  }
  return new HttpError(403, 'Plain HTTP is refused because it exposes secrets: use https://');
}
