import { request as send } from 'node:http';
import { Client } from '../end-to-end/client.ts';
import type { ServerProcess, TestFolder } from '../end-to-end/server-process.ts';
import { recordKindOf, recordsOf } from './batch.ts';
import type { ExpectedVersions } from './expected-versions.ts';

/** A request, with the changes of the expected versions when it is sent and when its response arrives. */
export interface Action {
  /** The port of the client, to which the server responds. */
  readonly port: number;
  readonly sent?: (expected: ExpectedVersions) => void;
  readonly acknowledged: (expected: ExpectedVersions) => void;
}

/** A client that sends one request after the other, each on a new connection, and records them. */
export class RecordedClient extends Client {
  readonly actions: Action[] = [];
  private port = 0;

  constructor(
    private readonly account: Pick<TestFolder, 'token' | 'secret'>,
    private readonly recorded: Pick<ServerProcess, 'address'>,
  ) {
    super(account, recorded);
  }

  async make(): Promise<string> {
    const { version_id: id } = await this.create();
    this.actions.push({ port: this.port, acknowledged: (expected) => expected.add(id) });
    return id;
  }

  async send(id: string, batch: number): Promise<void> {
    const { status, error } = await this.importVerbosely(recordKindOf(batch), id, recordsOf(batch, this));
    if (status !== 1) throw new Error(`batch ${batch}: ${error}`);
    this.actions.push({
      port: this.port,
      sent: (expected) => expected.get(id)?.ledger.unknown.add(batch),
      acknowledged: (expected) => expected.get(id)?.ledger.acknowledge(batch),
    });
  }

  async publish(id: string): Promise<void> {
    await this.setState(id, { readable: true, writable: true });
    this.actions.push({
      port: this.port,
      acknowledged: (expected) => {
        const version = expected.get(id);
        if (version !== undefined) version.isReadable = true;
      },
    });
  }

  async discard(id: string): Promise<void> {
    await this.delete(id);
    const deletion = (to: 'requested' | 'acknowledged') => (expected: ExpectedVersions) => {
      const version = expected.get(id);
      if (version !== undefined) version.deletion = to;
    };
    this.actions.push({ port: this.port, sent: deletion('requested'), acknowledged: deletion('acknowledged') });
  }

  override request(method: string, path: string, parameters: Record<string, string> = {}): Promise<Response> {
    const fields = new URLSearchParams(parameters).toString();
    const url = `${this.recorded.address}${path}${method === 'GET' ? `?${fields}` : ''}`;
    const body = method === 'GET' ? '' : fields;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const request = send(url, { method, agent: false, auth: `${this.account.secret}:`, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve(new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0 })));
      });
      request.on('socket', (socket) => {
        socket.once('connect', () => {
          this.port = socket.localPort ?? 0;
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}
