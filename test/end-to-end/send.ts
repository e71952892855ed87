import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** The credentials, headers and body of a request. */
export interface Sent {
  /** The user name of Basic authentication. */
  readonly secret?: string;
  readonly password?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** A body that is sent unchanged. */
  readonly body?: string | Buffer;
  /** The certificate to trust. */
  readonly ca?: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request unchanged, unlike `fetch`, which normalizes paths and headers. */
export function send(method: string, url: string, { secret, password = '', ca, ...sent }: Sent = {}): Promise<Answer> {
  const [type, body] = bodyOf(sent);
  const headers = {
    ...(secret !== undefined && { authorization: `Basic ${Buffer.from(`${secret}:${password}`).toString('base64')}` }),
    ...(type !== undefined && { 'content-type': type }),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...sent.headers,
  };
  const start = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = start(url, { method, headers, ...(ca && { ca }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function bodyOf({ form, json, body }: Sent): [type: string | undefined, body: string | Buffer | undefined] {
  if (form !== undefined) return ['application/x-www-form-urlencoded', new URLSearchParams(form).toString()];
  if (json !== undefined) return ['application/json', JSON.stringify(json)];
  return [undefined, body];
}
