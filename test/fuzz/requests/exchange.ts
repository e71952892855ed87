import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { JsonObject } from '../../../src/base/json.ts';
import { toWellFormed } from '../../../src/base/strings.ts';
import { signParameters } from '../../../src/service/server/access/signed-access.ts';
import type { Credentials } from './credentials.ts';
import type { Drawn } from './draw.ts';
import type { Target } from './target.ts';

/** An encoded request. */
export interface Written {
  readonly method: string;
  /** The path and the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The parameters as a server reads them, except for signatures. Undefined if the body has none. */
  readonly parameters: JsonObject | undefined;
  /** The names that occur more than once in the query, and in the form. */
  readonly repeated: { readonly query: readonly string[]; readonly form: readonly string[] };
}

/** The result of a request: a response, or a closed connection. */
export interface Outcome {
  readonly answer?: {
    readonly status: number;
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly body: string;
  };
  /** The reason why there is no response. */
  readonly closed?: string;
  readonly milliseconds: number;
}

/** The outcome of sending a request once. */
interface Sent extends Outcome {
  /** Whether the connection was closed after earlier requests, and before a response to this one. */
  readonly isStale?: boolean;
}

const MAX_MS = 120_000;

type Pairs = readonly (readonly [name: string, value: unknown])[];

/** Encodes a request with its credentials. */
export function encode(drawn: Drawn, target: Target): Written {
  const { operation, method, encoding, body: hostile } = drawn;
  const isInPath = ([name]: readonly [string, unknown]) => operation.path.includes(`{${name}}`);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
    const [, value] = drawn.parameters.find(([own]) => own === name) ?? [];
    return encodeURIComponent(toText(toWellFormed(value ?? 'x')));
  });
  const unsigned = drawn.parameters.filter((parameter) => !isInPath(parameter));
  const parts = encodeParts([...unsigned, ...createSignature(drawn, unsigned, target)], drawn);
  const isJson = encoding === 'json';
  const type = hostile?.type ?? (isJson ? 'application/json' : 'application/x-www-form-urlencoded');
  const body = method === 'GET' ? undefined : (hostile?.bytes ?? Buffer.from(parts.body));
  const headers = {
    ...createAuthorization(drawn.credentials, target),
    ...(body !== undefined && { 'content-length': String(body.length), ...(type !== '' && { 'content-type': type }) }),
    ...hostile?.headers,
  };
  if ('transfer-encoding' in headers) Reflect.deleteProperty(headers, 'content-length');
  return {
    method,
    url: parts.query === '' ? path : `${path}?${parts.query}`,
    headers,
    ...(body !== undefined && { body }),
    parameters: hostile === undefined ? readParameters(parts, encoding) : undefined,
    repeated: {
      query: findRepeatedNames(parts.query),
      form: isJson || hostile !== undefined ? [] : findRepeatedNames(parts.body),
    },
  };
}

/** Sends requests to one server over keep-alive connections. */
export class Wire {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly address: string) {}

  /**
   * Sends a request. Connection errors are part of the outcome. A server may close an idle connection just as a request
   * is sent on it, so such a request is sent once more, on its own connection.
   */
  async send(written: Written, abortsAfter?: number): Promise<Outcome> {
    // An aborted request gets its own connection: the server may take the next request for the rest of the body.
    const outcome = await this.sendOn(abortsAfter === undefined ? this.agent : false, written, abortsAfter);
    return outcome.isStale === true ? this.sendOn(false, written) : outcome;
  }

  private sendOn(agent: Agent | false, written: Written, abortsAfter?: number): Promise<Sent> {
    const { method, url: path, headers, body } = written;
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const done = (outcome: Omit<Sent, 'milliseconds'>) => {
        resolve({ ...outcome, milliseconds: performance.now() - startedAt });
      };
      const options = { method, path, headers, agent, signal: AbortSignal.timeout(MAX_MS) };
      const request = httpRequest(this.address, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', ({ message }) => done({ closed: message }));
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          done({ answer: { status, headers, body: Buffer.concat(chunks).toString() } });
        });
      });
      request.on('error', ({ message, code }: NodeJS.ErrnoException) => {
        done({ closed: message, isStale: request.reusedSocket && code === 'ECONNRESET' });
      });
      if (abortsAfter !== undefined) setTimeout(() => request.destroy(), abortsAfter);
      request.end(body);
    });
  }

  /** Sends raw bytes, and reads until the server closes the connection or is silent for a second. */
  sendBytes(bytes: string): Promise<Outcome> {
    const { hostname, port } = new URL(this.address);
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      const done = () => {
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
        const body = text.slice(text.indexOf('\r\n\r\n') + 4);
        const answer = { status, headers: {}, body };
        const outcome = Number.isNaN(status) ? { closed: 'without a response' } : { answer };
        resolve({ ...outcome, milliseconds: performance.now() - startedAt });
        socket.destroy();
      };
      socket.setTimeout(1_000, done);
      socket.on('data', (chunk) => (text += chunk));
      socket.on('close', done).on('error', () => undefined);
      socket.end(bytes, 'latin1');
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function createAuthorization(credentials: Credentials, { project, keys }: Target): { readonly authorization?: string } {
  const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(user).toString('base64')}` });
  const own = keys.secrets.get(credentials);
  if (own !== undefined) return basic(`${own}:`);
  const secret = keys.secrets.get('secret') as string;
  if (credentials === 'wrong secret') return basic(`${secret.slice(1)}:`);
  if (credentials === 'token') return basic(`${project.token}:`);
  if (credentials === 'password') return basic(`${secret}:x`);
  return credentials === 'garbled' ? { authorization: 'Basic *' } : {};
}

/** Creates the parameters of signed requests, the deprecated authentication. */
function createSignature(drawn: Drawn, parameters: Pairs, { project: { token }, keys }: Target): Pairs {
  const { credentials, encoding } = drawn;
  if (!credentials.endsWith('signature')) return [];
  const seconds = Math.floor(Date.now() / 1000);
  const expire = String(seconds + (credentials === 'expired signature' ? -1 : 3_600));
  const own = [['api_key', token] as const, ['expire', expire] as const];
  if (credentials === 'half a signature') return own;
  const signed = readParameters(encodeParts([...parameters, ...own], drawn), encoding);
  const secret = keys.secrets.get('secret') as string;
  const sig = signParameters(signed, credentials === 'wrong signature' ? token : secret);
  return [...own, ['sig', sig]];
}

/** Encoded parameters. */
interface Parts {
  readonly query: string;
  readonly body: string;
}

function encodeParts(parameters: Pairs, { encoding, inQuery = 0 }: Drawn): Parts {
  const isInQuery = (index: number) => encoding === 'query' || ((inQuery >> (index % 30)) & 1) === 1;
  const rest = parameters.filter((_, index) => !isInQuery(index));
  return {
    query: encodeForm(parameters.filter((_, index) => isInQuery(index))),
    body: encoding === 'json' ? encodeJson(rest) : encodeForm(rest),
  };
}

/** Returns the parameters that a server reads. The body overrides the query, where a name can have several values. */
function readParameters({ query, body }: Parts, encoding: Drawn['encoding']): JsonObject {
  const ofQuery: JsonObject = Object.fromEntries([
    ...new URLSearchParams(query),
    ...findRepeatedNames(query).map((name) => [name, new URLSearchParams(query).getAll(name)] as const),
  ]);
  return { ...ofQuery, ...(encoding === 'json' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))) };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function encodeForm(parameters: Pairs): string {
  return new URLSearchParams(parameters.map(([name, value]) => [name, toText(value)])).toString();
}

/** Encodes JSON without an object, because a name may occur twice or be `__proto__`. */
function encodeJson(parameters: Pairs): string {
  return `{${parameters.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
}

function findRepeatedNames(form: string): string[] {
  const names = [...new URLSearchParams(form).keys()];
  return names.filter((name, index) => names.indexOf(name) !== index);
}
