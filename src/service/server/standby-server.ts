import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { COMMON_HEADERS } from './build-server.ts';
import type { Certificate } from './connections/certificate.ts';
import { TlsSniffingServer } from './connections/tls-sniffing-server.ts';
import { LIMITS } from './settings/limits.ts';

const REFUSAL = 'This server stands by for another one. Send the request to the active server, or retry it later.';

/** Answers every request with 503 while another server has the data folder, so that proxies choose that one. */
export class StandbyServer {
  private readonly front: TlsSniffingServer;

  constructor(certificate: Certificate) {
    this.front = new TlsSniffingServer(certificate, LIMITS);
    this.front.handle(refuse);
  }

  /** @throws {Error} the system error if the address cannot be used */
  listen(port: number, host: string): Promise<AddressInfo> {
    return this.front.listen(port, host);
  }

  /** Uses another certificate for new connections. */
  renew(certificate: Certificate): void {
    this.front.renew(certificate);
  }

  /** Frees the port. */
  stop(): Promise<void> {
    return this.front.stop(0, () => undefined);
  }
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const isHealth = /^\/healthz\/?(?:\?|$)/.test(request.url ?? '');
  const body = JSON.stringify(isHealth ? { status: 'standby' } : { error: REFUSAL });
  // The body of the request is not read, so the connection cannot be used again.
  response.writeHead(503, {
    ...COMMON_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Retry-After': '5',
    Connection: 'close',
  });
  response.end(body);
}
