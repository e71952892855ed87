import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { ServerLimits } from '../settings/limits.ts';
import type { Certificate } from './certificate.ts';
import { Connections } from './connections.ts';
import { onResponseEnd } from './response-end.ts';

/** The first byte of a TLS connection, the record type of a handshake. No HTTP method begins with it. */
const HANDSHAKE = 0x16;

/** Time to send the errors of abandoned requests. */
const ERRORS_MS = 1_000;

/**
 * Serves HTTPS and plain HTTP on one port, by the first byte of the connection, so that a client that forgot the `s`
 * gets an error message. The handler has to check whether a request came over TLS.
 */
export class TlsSniffingServer {
  private readonly server: Server;
  private readonly connections: Connections;
  private requests = 0;
  /** Called when the last active request ends. */
  private onIdle: () => void = () => undefined;

  constructor(certificate: Certificate, limits: ServerLimits) {
    this.connections = new Connections(limits);
    this.server = createServer({
      ...certificate,
      // The handler refuses requests without it, with a message.
      requireHostHeader: false,
      maxHeaderSize: limits.headerBytes,
      handshakeTimeout: limits.headersMs,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    });
    // Clients that do not read have the same time limit as clients that do not send.
    this.server.setTimeout(limits.requestMs);
    // Without TLS, no error can be sent.
    this.server.on('tlsClientError', (_, socket) => socket.destroy());
    // Each pipelined request adds a listener.
    this.server.on('secureConnection', (socket) => socket.setMaxListeners(0));
    this.detectTls(limits.headersMs);
  }

  /** Sets the handler of all requests. */
  handle(handler: RequestListener): Server {
    const counted: RequestListener = (request, response) => {
      this.requests++;
      const end = this.connections.begin(request.socket);
      onResponseEnd(request, response, () => {
        this.requests--;
        end();
        if (this.requests === 0) this.onIdle();
      });
      handler(request, response);
    };
    // Clients that send `Expect: 100-continue` get the interim response when the body is read, not before.
    return this.server.on('request', counted).on('checkContinue', counted).on('checkExpectation', counted);
  }

  /** Uses another certificate for new connections. */
  renew(certificate: Certificate): void {
    this.server.setSecureContext(certificate);
  }

  /** @throws {Error} the system error if the address cannot be used */
  async listen(port: number, host: string): Promise<AddressInfo> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return this.server.address() as AddressInfo;
  }

  /**
   * Stops accepting connections, waits for active requests, calls `giveUp` for those that are not done in time, and
   * closes the remaining connections.
   */
  async stop(maxMs: number, giveUp: () => void): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    await this.waitUntilIdle(maxMs);
    giveUp();
    await this.waitUntilIdle(ERRORS_MS);
    this.connections.closeAll();
    await closed;
  }

  /** Waits until no request is active, for at most `maxMs`. */
  private waitUntilIdle(maxMs: number): Promise<void> {
    if (this.requests === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      this.onIdle = () => {
        clearTimeout(timer);
        // TLS still has to write the last bytes of the response.
        setImmediate(resolve);
      };
    });
  }

  private detectTls(maxMs: number): void {
    const { server } = this;
    const startTls = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (!this.connections.add(socket)) return;
      const giveUp = () => socket.destroy();
      socket.once('error', giveUp);
      socket.setTimeout(maxMs, giveUp);
      socket.once('readable', () => {
        const head: Buffer | null = socket.read();
        if (head === null) return giveUp();
        socket.off('error', giveUp).off('timeout', giveUp).setTimeout(0);
        socket.unshift(head);
        if (head[0] === HANDSHAKE) for (const listener of startTls) listener.call(server, socket);
        // The HTTP parser listens for this event, after TLS or without it.
        else server.emit('secureConnection', socket);
      });
    });
  }
}
