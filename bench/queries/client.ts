import { Agent, request } from 'node:https';
import type { QueryClient } from './query-case.ts';

/** Sends queries to a server over one connection. */
export class Client implements QueryClient {
  // The server uses a self-signed certificate.
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  constructor(
    private readonly address: string,
    private readonly secret: string,
  ) {}

  /** Returns the body of the response. */
  query(path: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const { agent } = this;
    const headers = { authorization: `Basic ${Buffer.from(`${this.secret}:`).toString('base64')}` };
    const url = `${this.address}api/2.0${path}?${new URLSearchParams(parameters)}`;
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${response.statusCode}: ${text}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
