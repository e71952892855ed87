import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './certificate.ts';
import { Connections } from './connections.ts';
import type { ServerLimits } from './limits.ts';
import { onResponseEnd } from './response-end.ts';

/** The first byte of a connection that speaks TLS: the record type of a handshake. No method of HTTP begins with it. */
const HANDSHAKE = 0x16;

/** How long it may take to say that a request is given up. */
const LAST_WORDS_MS = 1_000;

/**
 * Takes HTTPS and plain HTTP on one port, told apart by their first byte, so that a client who forgot the `s` gets an answer instead of
 * silence. Whether a request came over TLS is for its handler to judge.
 */
export class TlsSniffingServer {
  private readonly server: Server;
  private readonly connections: Connections;
  private requests = 0;
  /** Called when no request is under way any more. */
  private quiet: () => void = () => undefined;

  constructor(certificate: Certificate, limits: ServerLimits) {
    this.connections = new Connections(limits);
    this.server = createServer({
      ...certificate,
      // Whoever sends none is told so by the handler, in words.
      requireHostHeader: false,
      maxHeaderSize: limits.headerBytes,
      handshakeTimeout: limits.headersMs,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    });
    // Whoever does not read its answers is waited for no longer than who does not send.
    this.server.setTimeout(limits.requestMs);
    // Nothing can be said to who does not come as far as TLS.
    this.server.on('tlsClientError', (_, socket) => socket.destroy());
    // As many requests listen as a client sends before it reads.
    this.server.on('secureConnection', (socket) => socket.setMaxListeners(0));
    this.tellApart(limits.headersMs);
  }

  /** Hands all requests to a handler. */
  handle(handler: RequestListener): Server {
    const counted: RequestListener = (request, response) => {
      this.requests++;
      const end = this.connections.begin(request.socket);
      onResponseEnd(request, response, () => {
        this.requests--;
        end();
        if (this.requests === 0) this.quiet();
      });
      handler(request, response);
    };
    // Who asks before sending a body is told to go on when it is wanted, not before.
    return this.server.on('request', counted).on('checkContinue', counted).on('checkExpectation', counted);
  }

  /** Shows another certificate to whoever connects from now on. */
  renew(certificate: Certificate): void {
    this.server.setSecureContext(certificate);
  }

  /** @throws {Error} of the system where the address cannot be used. */
  async listen(port: number, host: string): Promise<AddressInfo> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return this.server.address() as AddressInfo;
  }

  /**
   * Takes no more connections, lets the requests that are under way come to their end, gives up those that are not done in time, and cuts off
   * what is left.
   */
  async stop(patienceMs: number, giveUp: () => void): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    await this.untilQuiet(patienceMs);
    giveUp();
    await this.untilQuiet(LAST_WORDS_MS);
    this.connections.closeAll();
    await closed;
  }

  /** Waits until no request is under way, but for so long at most. */
  private untilQuiet(mostMs: number): Promise<void> {
    if (this.requests === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.quiet = () => {
        clearTimeout(timer);
        // The last bytes of the answer are still on their way through TLS.
        setImmediate(resolve);
      };
    });
  }

  private tellApart(silenceMs: number): void {
    const { server } = this;
    const startTls = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (!this.connections.add(socket)) return;
      const giveUp = () => socket.destroy();
      socket.once('error', giveUp);
      socket.setTimeout(silenceMs, giveUp);
      socket.once('readable', () => {
        const begin: Buffer | null = socket.read();
        if (begin === null) return giveUp();
        socket.off('error', giveUp).off('timeout', giveUp).setTimeout(0);
        socket.unshift(begin);
        if (begin[0] === HANDSHAKE) for (const listener of startTls) listener.call(server, socket);
        // What comes out of TLS is handed to HTTP by this event, and so is what was never in it.
        else server.emit('secureConnection', socket);
      });
    });
  }
}
