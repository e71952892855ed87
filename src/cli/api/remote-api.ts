import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isJsonObject } from '../../lang/util/json.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { QueryParameters, ServiceApi } from './service-api.ts';
import { ServiceApiError } from './service-api.ts';

/** How long a server may say nothing. Its own limit for a query is a minute where nobody sets another. */
const SILENCE_MINUTES = 10;

/** The longest answer that is read. */
const MAX_BYTES = 2 ** 28;

/** The types that answers have. */
const PUBLISHED = /^(?:application\/json|text\/csv)/;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export interface RemoteOptions {
  readonly secret: string;
  /** The certificates in PEM that are trusted, instead of those that Node.js trusts. */
  readonly ca?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A server that answers queries over HTTPS or, on this machine, over HTTP. */
export class RemoteApi implements ServiceApi {
  private readonly base: URL;

  /** @throws {UsageError} where the address is none that a secret may be sent to. */
  constructor(
    address: string,
    private readonly options: RemoteOptions,
  ) {
    this.base = urlOf(address);
  }

  async ask(path: string, parameters: QueryParameters): Promise<string> {
    const url = new URL(`api/2.0${path}`, this.base);
    let answer: Answer;
    try {
      answer = await this.post(url, new URLSearchParams(parameters).toString());
    } catch (error) {
      throw unanswered(error as NodeJS.ErrnoException, this.base.origin);
    }
    if (answer.status === 200 && PUBLISHED.test(answer.headers['content-type'] ?? '')) return answer.text;
    throw refusal(answer, this.base.origin);
  }

  /** In a body, parameters can be as long as they need to be, and no proxy writes them to its log. */
  private post(url: URL, body: string): Promise<Answer> {
    const { secret, ca } = this.options;
    const headers = {
      authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
    };
    const options = { method: 'POST', headers, timeout: SILENCE_MINUTES * 60_000, agent: false as const };
    return new Promise((resolve, reject) => {
      const request =
        url.protocol === 'https:'
          ? requestHttps(url, { ...options, ...(ca !== undefined && { ca }) })
          : requestHttp(url, options);
      request.on('response', (response) => read(response).then(resolve, reject));
      request.on('timeout', () => request.destroy(new Error(`it has said nothing for ${SILENCE_MINUTES} minutes`)));
      request.on('error', reject);
      request.end(body);
    });
  }
}

function urlOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol) || url.username !== '')
    throw new UsageError('The address of a server is one like https://localhost:8443, without a secret in it');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new UsageError(`Whoever is between here and ${url.host} could read the secret: write https`);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

async function read(response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`its answer is longer than ${MAX_BYTES / 2 ** 20} MB`);
    parts.push(part);
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(parts).toString() };
}

/** What the certificate of a server is, by the code of what OpenSSL says of it. */
const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is one that it has made itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT: 'is signed by an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an authority that is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is signed by an authority that is not known',
};

function unanswered(error: NodeJS.ErrnoException, origin: string): ServiceApiError {
  return new ServiceApiError(reasonOf(error, origin), EXIT.data, { cause: error });
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException, origin: string): string {
  const untrusted = UNTRUSTED[code];
  if (untrusted !== undefined)
    return `The certificate of ${origin} ${untrusted}. To trust it, give it with --ca; a server keeps its own as certificate.pem in its data folder`;
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${origin} has expired`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of ${origin} is for another name: ${message}`;
  if (code === 'ECONNREFUSED') return `Nobody listens at ${origin}: is the server running, and is that its port?`;
  if (code === 'ENOTFOUND') return `There is no machine with the name in ${origin}`;
  if (code === 'EPROTO') return `${origin} does not speak TLS: is it a server over plain HTTP?`;
  return `${origin} does not answer: ${message}`;
}

/** What a server says that does not answer a query. */
function refusal({ status, headers, text }: Answer, origin: string): ServiceApiError {
  const message = publishedMessage(text);
  if (message === undefined)
    return new ServiceApiError(`${origin} is no onwhere, or one without queries: it answers ${status}`, EXIT.data);
  const wait = headers['retry-after'];
  return ServiceApiError.answered(status, wait === undefined ? message : `${message} (again in ${wait} s)`);
}

function publishedMessage(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) && typeof body.error === 'string' ? body.error : undefined;
  } catch {
    return undefined;
  }
}
