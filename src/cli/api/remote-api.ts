import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isJsonObject } from '../../base/json.ts';
import { tryParseJson } from '../../data/try-parse-json.ts';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { EXIT, UsageError } from '../exit.ts';
import { type ServiceApi, ServiceApiError } from './service-api.ts';

/** The timeout without any data from the server. The server itself limits a query to one minute by default. */
const TIMEOUT_MINUTES = 10;

/** The maximum size of a response. */
const MAX_BYTES = 2 ** 28;

/** The content types of query results. */
const RESULT_TYPE = /^(?:application\/json|text\/csv)/;

/** The content type of responses with lines. */
const LINES_TYPE = /^application\/x-ndjson/;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export interface RemoteOptions {
  readonly secret: string;
  /** The PEM certificates to trust instead of those of Node.js. */
  readonly ca?: string | undefined;
}

interface Response {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Queries a server over HTTPS or, on this machine, HTTP. */
export class RemoteApi implements ServiceApi {
  private readonly base: URL;

  /** @throws {UsageError} if the URL is invalid or a secret must not be sent to it. */
  constructor(
    address: string,
    private readonly options: RemoteOptions,
  ) {
    this.base = parseUrl(address);
  }

  async query(path: string, parameters: QueryParameters): Promise<string> {
    const response = await this.post(path, parameters).then(read).catch(this.explain);
    if (response.status === 200 && RESULT_TYPE.test(response.headers['content-type'] ?? '')) return response.text;
    throw toResponseError(response, this.base.origin);
  }

  async lines(path: string, parameters: QueryParameters): Promise<AsyncIterable<string | Uint8Array>> {
    const message = await this.post(path, parameters, { 'accept-encoding': 'gzip' }).catch(this.explain);
    if (message.statusCode === 200 && LINES_TYPE.test(message.headers['content-type'] ?? ''))
      return this.explainAll(decompress(message));
    throw toResponseError(await read(message).catch(this.explain), this.base.origin);
  }

  private async *explainAll(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      this.explain(error);
    }
  }

  private readonly explain = (error: unknown): never => {
    throw toConnectionError(error as NodeJS.ErrnoException, this.base.origin);
  };

  /** Sends parameters in the body, which has no length limit and does not appear in proxy logs. */
  private post(
    path: string,
    parameters: QueryParameters,
    accepted: Readonly<Record<string, string>> = {},
  ): Promise<IncomingMessage> {
    const { secret, ca } = this.options;
    const url = new URL(`api/2.0${path}`, this.base);
    const body = new URLSearchParams(parameters).toString();
    const headers = {
      ...accepted,
      authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
    };
    const options = { method: 'POST', headers, timeout: TIMEOUT_MINUTES * 60_000, agent: false as const };
    return new Promise((resolve, reject) => {
      const request =
        url.protocol === 'https:'
          ? requestHttps(url, { ...options, ...(ca !== undefined && { ca }) })
          : requestHttp(url, options);
      request.on('response', resolve);
      request.on('timeout', () => request.destroy(new Error(`no data for ${TIMEOUT_MINUTES} minutes`)));
      request.on('error', reject);
      request.end(body);
    });
  }
}

function parseUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol) || url.username !== '')
    throw new UsageError('Pass a URL such as https://localhost:8443 as --server, without a secret in it');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new UsageError(`Use https for ${url.host}: plain HTTP would expose the secret`);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function decompress(message: IncomingMessage): Readable {
  if (message.headers['content-encoding'] !== 'gzip') return message;
  // Who reads the decompressed bytes gets the errors of both streams.
  return pipeline(message, createGunzip(), () => undefined);
}

async function read(response: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of decompress(response) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`its response is longer than ${MAX_BYTES / 2 ** 20} MB`);
    parts.push(part);
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(parts).toString() };
}

/** Describes certificate problems by the error codes of OpenSSL. */
const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is signed by an unknown authority',
};

function toConnectionError(error: NodeJS.ErrnoException, origin: string): ServiceApiError {
  return new ServiceApiError(describeConnectionError(error, origin), EXIT.data, { cause: error });
}

function describeConnectionError({ code = '', message }: NodeJS.ErrnoException, origin: string): string {
  const untrusted = UNTRUSTED[code];
  if (untrusted !== undefined)
    return (
      `The certificate of ${origin} ${untrusted}. To trust it, pass its file with --ca. ` +
      'A server keeps its own certificate as certificate.pem in its data folder.'
    );
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${origin} has expired`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of ${origin} is for another name: ${message}`;
  if (code === 'ECONNREFUSED')
    return `Connection refused by ${origin}. Check that the server is running and the port is right.`;
  if (code === 'ENOTFOUND') return `Host not found: ${origin}`;
  if (code === 'EPROTO') return `${origin} does not speak TLS. Is it a plain HTTP server?`;
  if (code === 'ECONNRESET' && message === 'aborted')
    return `${origin} broke its response off before the end. Its log says why.`;
  return `No response from ${origin}: ${message}`;
}

/** Turns an error response into an error. */
function toResponseError({ status, headers, text }: Response, origin: string): ServiceApiError {
  const message = readErrorMessage(text);
  if (message === undefined)
    return new ServiceApiError(`${origin} does not look like an onwhere server: HTTP status ${status}`, EXIT.data);
  const wait = headers['retry-after'];
  return ServiceApiError.fromResponse(status, wait === undefined ? message : `${message} (retry in ${wait} s)`);
}

function readErrorMessage(text: string): string | undefined {
  const body = tryParseJson(text);
  return isJsonObject(body) && typeof body.error === 'string' ? body.error : undefined;
}
