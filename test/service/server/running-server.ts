import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type BuiltServer, buildServer, type ServerOptions } from '../../../src/service/server/build-server.ts';
import { type Certificate, loadOwnCertificate } from '../../../src/service/server/connections/certificate.ts';
import { SECRET } from './fake-datasets.ts';
import { FakeSavedFilters } from './fake-saved-filters.ts';
import { FakeServices } from './fake-services.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RequestOptions {
  readonly method?: string;
  /** The secret; null for none. */
  readonly secret?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly plain?: boolean;
  readonly agent?: https.Agent;
}

/** Shared by all servers, because creating a certificate takes long. */
const CERTIFICATE = loadCertificate();

/** Returns the certificate of all servers. */
export function createCertificate(): Promise<Certificate> {
  return CERTIFICATE;
}

async function loadCertificate(): ReturnType<typeof loadOwnCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'onwhere-test-certificate-'));
  try {
    return await loadOwnCertificate(folder, 'localhost');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A server with fake services on its own port. It keeps its log and its responses. */
export class RunningServer {
  readonly services = new FakeServices();
  readonly datasets = this.services.datasets;
  readonly log: string[] = [];
  /** Every response to `request`, with the method and path. */
  readonly responses: { readonly method: string; readonly path: string; readonly response: HttpResponse }[] = [];
  port = 0;
  private server: BuiltServer | undefined;

  static async start(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
    const running = new RunningServer();
    const log = pino({ level: 'trace' }, { write: (line: string) => void running.log.push(line) });
    const certificate = await CERTIFICATE;
    running.server = await buildServer(running.services, {
      certificate,
      log,
      filters: new FakeSavedFilters(),
      ...options,
    });
    running.port = (await running.server.listen(0, '127.0.0.1')).port;
    return running;
  }

  /** Replaces the certificate. */
  renew(certificate: Certificate): void {
    this.server?.renew(certificate);
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  /** Sends a request: by default with the secret of the project and over HTTPS. The path is sent unchanged. */
  request(
    path: string,
    { method = 'GET', secret = SECRET, headers = {}, body, plain, agent }: RequestOptions = {},
  ): Promise<HttpResponse> {
    const authorization = secret === null ? {} : { authorization: encodeBasic(secret) };
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = {
      host: '127.0.0.1',
      port: this.port,
      path,
      method,
      headers: { ...authorization, ...length, ...headers },
      rejectUnauthorized: false,
      agent: agent ?? false,
    };
    return new Promise((resolve, reject) => {
      const request = (plain ? http : https).request(options, async (message) => {
        let text = '';
        for await (const chunk of message.setEncoding('utf8')) text += chunk;
        const response = { status: message.statusCode ?? 0, headers: message.headers, text };
        this.responses.push({ method, path, response });
        resolve(response);
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Sends a form. */
  sendForm(path: string, fields: Record<string, string>, options: RequestOptions = {}): Promise<HttpResponse> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...options.headers };
    return this.request(path, { method: 'POST', ...options, headers, body: new URLSearchParams(fields).toString() });
  }

  /** Opens a TCP connection without TLS. */
  async connect(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }
}

/** Returns the value of an `Authorization` header. */
export function encodeBasic(user: string, password = ''): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Returns the data that arrives until the connection closes. */
export function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}
