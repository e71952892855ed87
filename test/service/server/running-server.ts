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
import { type Certificate, loadOwnCertificate } from '../../../src/service/server/certificate.ts';
import { SECRET } from './fake-datasets.ts';
import { FakeServices } from './fake-services.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  /** The secret; null for none. */
  readonly secret?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly plain?: boolean;
  readonly agent?: https.Agent;
}

/** One for all tests, as making it is not what they test. */
const CERTIFICATE = makeCertificate();

async function makeCertificate(): ReturnType<typeof loadOwnCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'onwhere-test-certificate-'));
  try {
    return await loadOwnCertificate(folder, 'localhost');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A server over fakes on a port of its own, with everything that it logged and answered. */
export class RunningServer {
  readonly services = new FakeServices();
  readonly datasets = this.services.datasets;
  readonly log: string[] = [];
  /** Every answer to `ask`, with what was asked. */
  readonly answers: { readonly method: string; readonly path: string; readonly answer: Answer }[] = [];
  port = 0;
  private server: BuiltServer | undefined;

  static async start(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
    const running = new RunningServer();
    const log = pino({ level: 'trace' }, { write: (line: string) => void running.log.push(line) });
    const certificate = await CERTIFICATE;
    running.server = await buildServer(running.services, { certificate, log, ...options });
    running.port = (await running.server.listen(0, '127.0.0.1')).port;
    return running;
  }

  /** Shows another certificate. */
  renew(certificate: Certificate): void {
    this.server?.renew(certificate);
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  /** Sends a request with a secret over HTTPS, unless told otherwise, exactly as the path is written. */
  ask(
    path: string,
    { method = 'GET', secret = SECRET, headers = {}, body, plain, agent }: Asked = {},
  ): Promise<Answer> {
    const authorization = secret === null ? {} : { authorization: basic(secret) };
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
      const request = (plain ? http : https).request(options, async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        const answer = { status: response.statusCode ?? 0, headers: response.headers, text };
        this.answers.push({ method, path, answer });
        resolve(answer);
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Sends a form. */
  form(path: string, fields: Record<string, string>, asked: Asked = {}): Promise<Answer> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...asked.headers };
    return this.ask(path, { method: 'POST', ...asked, headers, body: new URLSearchParams(fields).toString() });
  }

  /** A connection below HTTP and TLS. */
  async connect(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }
}

/** The value of an `Authorization` header. */
export function basic(user: string, password = ''): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** What comes in until the other side closes. */
export function everything(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}
