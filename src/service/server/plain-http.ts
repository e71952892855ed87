import { BlockList, isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { HttpError } from './http-error.ts';

/** Where requests may come without TLS; without either, nowhere. */
export interface PlainHttp {
  /** From a proxy that says that it was asked over HTTPS, with `X-Forwarded-Proto`. */
  readonly behindProxy?: boolean;
  /** From this machine. */
  readonly allowHttp?: boolean;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether only this machine reaches a host. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host === 'localhost';
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** Why a request is refused that came over plain HTTP and should not have. */
export function checkPlainHttp(request: FastifyRequest, { behindProxy, allowHttp }: PlainHttp): HttpError | undefined {
  const { socket, headers } = request.raw;
  if ((socket as TLSSocket).encrypted) return undefined;
  const { plain } = request.routeOptions.config;
  if (plain === 'anywhere') return undefined;
  if (allowHttp && isLoopback(socket.remoteAddress ?? '')) return undefined;
  if (behindProxy) {
    // Whoever measures on the machine itself does not pass the proxy.
    if (plain === 'behind proxy') return undefined;
    const forwarded = [headers['x-forwarded-proto'] ?? ''].flat().join().split(',');
    if (forwarded.every((protocol) => protocol.trim().toLowerCase() === 'https')) return undefined;
    return new HttpError(
      403,
      'Plain HTTP is refused: use https:// to reach the proxy, which must set X-Forwarded-Proto',
    );
  }
  return new HttpError(403, 'Plain HTTP is refused, as it shows secrets to everyone on the way: use https://');
}
