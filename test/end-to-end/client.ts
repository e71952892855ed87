import type { Version } from '../../src/service/datasets/versions/version.ts';
import type { RecordKind } from '../../src/service/store/store.ts';
import type { ServerProcess, TestFolder } from './server-process.ts';

/** A client of the Datasets interface for one dataset of a test folder. */
export class Client {
  constructor(
    private readonly folder: Pick<TestFolder, 'token' | 'secret'>,
    private readonly server: Pick<ServerProcess, 'address'>,
    private readonly datasetId = 'orders',
  ) {}

  async create(): Promise<Version> {
    return this.data('POST', `/datasets/${this.datasetId}/versions`);
  }

  async list(): Promise<Version[]> {
    return this.data('GET', `/datasets/${this.datasetId}/versions`);
  }

  async get(versionId: string): Promise<Version> {
    return this.data('GET', `/datasets/${this.datasetId}/versions/${versionId}`);
  }

  async setState(versionId: string, state: { readable: boolean; writable: boolean }): Promise<void> {
    await this.data('PATCH', `/datasets/${this.datasetId}/versions/${versionId}`, { state: JSON.stringify(state) });
  }

  async delete(versionId: string): Promise<void> {
    await this.data('DELETE', `/datasets/${this.datasetId}/versions/${versionId}`);
  }

  /** Sends a batch and returns whether it was acknowledged. Each record must contain the token. */
  async import(kind: RecordKind, versionId: string, records: readonly object[]): Promise<boolean> {
    return (await this.importVerbosely(kind, versionId, records)).status === 1;
  }

  async importVerbosely(kind: RecordKind, versionId: string, records: readonly object[]) {
    const data = Buffer.from(JSON.stringify(records)).toString('base64');
    const parameters = { data, dataset_id: this.datasetId, dataset_version: versionId, verbose: '1' };
    const response = await this.request('POST', `/import-${kind}`, parameters);
    return (await response.json()) as { error: string | null; status: 0 | 1 };
  }

  /** Waits until a version is live and ready. */
  async untilReady(versionId: string): Promise<Version> {
    for (;;) {
      const version = await this.get(versionId);
      if (version.state.ready && version.is_live) return version;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  event(properties: object): object {
    return { event: 'order', properties: { token: this.folder.token, ...properties } };
  }

  person(distinctId: string, operations: object): object {
    return { $token: this.folder.token, $distinct_id: distinctId, ...operations };
  }

  request(method: string, path: string, parameters: Record<string, string> = {}): Promise<Response> {
    const authorization = `Basic ${Buffer.from(`${this.folder.secret}:`).toString('base64')}`;
    const query = method === 'GET' ? `?${new URLSearchParams(parameters)}` : '';
    const body = method === 'GET' ? {} : { body: new URLSearchParams(parameters) };
    return fetch(`${this.server.address}${path}${query}`, { method, headers: { authorization }, ...body });
  }

  private async data<T>(method: string, path: string, parameters: Record<string, string> = {}): Promise<T> {
    const response = await this.request(method, path, { token: this.folder.token, ...parameters });
    const body = (await response.json()) as { data: T; error?: string };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${body.error}`);
    return body.data;
  }
}
