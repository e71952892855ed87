import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { JsonObject } from '../../../src/lang/util/json.ts';
import { toWellFormed } from '../../../src/lang/util/strings.ts';
import { signParameters } from '../../../src/service/server/signed-access.ts';
import type { Credentials } from './credentials.ts';
import type { Drawn } from './draw.ts';
import type { Target } from './target.ts';

/** A request as it goes over the wire. */
export interface Written {
  readonly method: string;
  /** The path and the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The parameters as a server reads them, but for signatures; undefined where the body holds none. */
  readonly parameters: JsonObject | undefined;
  /** The names that the query has more than once, and those that the form has. */
  readonly repeated: { readonly query: readonly string[]; readonly form: readonly string[] };
}

/** What came back: an answer, or nothing before the connection was closed. */
export interface Outcome {
  readonly answer?: {
    readonly status: number;
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly body: string;
  };
  /** Why there is none. */
  readonly closed?: string;
  readonly milliseconds: number;
}

const MAX_MS = 120_000;

type Pairs = readonly (readonly [name: string, value: unknown])[];

/** Writes a request out. */
export function write(drawn: Drawn, target: Target): Written {
  const { operation, method, encoding, body: hostile } = drawn;
  const isInPath = ([name]: readonly [string, unknown]) => operation.path.includes(`{${name}}`);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
    const [, value] = drawn.parameters.find(([own]) => own === name) ?? [];
    return encodeURIComponent(textOf(toWellFormed(value ?? 'x')));
  });
  const unsigned = drawn.parameters.filter((parameter) => !isInPath(parameter));
  const parts = partsOf([...unsigned, ...signatureFor(drawn, unsigned, target)], drawn);
  const isJson = encoding === 'json';
  const type = hostile?.type ?? (isJson ? 'application/json' : 'application/x-www-form-urlencoded');
  const body = method === 'GET' ? undefined : (hostile?.bytes ?? Buffer.from(parts.body));
  const headers = {
    ...authorizationOf(drawn.credentials, target),
    ...(body !== undefined && { 'content-length': String(body.length), ...(type !== '' && { 'content-type': type }) }),
    ...hostile?.headers,
  };
  if ('transfer-encoding' in headers) Reflect.deleteProperty(headers, 'content-length');
  return {
    method,
    url: parts.query === '' ? path : `${path}?${parts.query}`,
    headers,
    ...(body !== undefined && { body }),
    parameters: hostile === undefined ? parametersIn(parts, encoding) : undefined,
    repeated: { query: repeatedIn(parts.query), form: isJson || hostile !== undefined ? [] : repeatedIn(parts.body) },
  };
}

/** Sends requests to one server, over connections that it keeps. */
export class Wire {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly address: string) {}

  /** Sends a request. What goes wrong on the way is an outcome too. */
  send(written: Written, hangsUpAfter?: number): Promise<Outcome> {
    const { method, url: path, headers, body } = written;
    const begun = performance.now();
    return new Promise((resolve) => {
      const done = (outcome: Omit<Outcome, 'milliseconds'>) => {
        resolve({ ...outcome, milliseconds: performance.now() - begun });
      };
      // The server may take what comes next on a connection for the rest of a body.
      const agent = hangsUpAfter === undefined ? this.agent : false;
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
      request.on('error', ({ message }) => done({ closed: message }));
      if (hangsUpAfter !== undefined) setTimeout(() => request.destroy(), hangsUpAfter);
      request.end(body);
    });
  }

  /** Sends bytes as they are, and takes what comes back until the server closes the connection, or after a second. */
  sendBytes(bytes: string): Promise<Outcome> {
    const { hostname, port } = new URL(this.address);
    const begun = performance.now();
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      const done = () => {
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
        const body = text.slice(text.indexOf('\r\n\r\n') + 4);
        const answer = { status, headers: {}, body };
        const outcome = Number.isNaN(status) ? { closed: 'without an answer' } : { answer };
        resolve({ ...outcome, milliseconds: performance.now() - begun });
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

function authorizationOf(credentials: Credentials, { project, keys }: Target): { readonly authorization?: string } {
  const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(user).toString('base64')}` });
  const own = keys.secrets.get(credentials);
  if (own !== undefined) return basic(`${own}:`);
  const secret = keys.secrets.get('secret') as string;
  if (credentials === 'wrong secret') return basic(`${secret.slice(1)}:`);
  if (credentials === 'token') return basic(`${project.token}:`);
  if (credentials === 'password') return basic(`${secret}:x`);
  return credentials === 'garbled' ? { authorization: 'Basic *' } : {};
}

/** The parameters of the deprecated method of access. */
function signatureFor(drawn: Drawn, parameters: Pairs, { project: { token }, keys }: Target): Pairs {
  const { credentials, encoding } = drawn;
  if (!credentials.endsWith('signature')) return [];
  const seconds = Math.floor(Date.now() / 1000);
  const expire = String(seconds + (credentials === 'expired signature' ? -1 : 3_600));
  const own = [['api_key', token] as const, ['expire', expire] as const];
  if (credentials === 'half a signature') return own;
  const signed = parametersIn(partsOf([...parameters, ...own], drawn), encoding);
  const secret = keys.secrets.get('secret') as string;
  const sig = signParameters(signed, credentials === 'wrong signature' ? token : secret);
  return [...own, ['sig', sig]];
}

/** Parameters as they are written. */
interface Parts {
  readonly query: string;
  readonly body: string;
}

function partsOf(parameters: Pairs, { encoding, inQuery = 0 }: Drawn): Parts {
  const isInQuery = (index: number) => encoding === 'query' || ((inQuery >> (index % 30)) & 1) === 1;
  const rest = parameters.filter((_, index) => !isInQuery(index));
  return {
    query: formOf(parameters.filter((_, index) => isInQuery(index))),
    body: encoding === 'json' ? jsonOf(rest) : formOf(rest),
  };
}

/** The parameters that a server reads: a body counts more than the query, in which a name may have several values. */
function parametersIn({ query, body }: Parts, encoding: Drawn['encoding']): JsonObject {
  const ofQuery: JsonObject = Object.fromEntries([
    ...new URLSearchParams(query),
    ...repeatedIn(query).map((name) => [name, new URLSearchParams(query).getAll(name)] as const),
  ]);
  return { ...ofQuery, ...(encoding === 'json' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formOf(parameters: Pairs): string {
  return new URLSearchParams(parameters.map(([name, value]) => [name, textOf(value)])).toString();
}

/** Written by hand, for a name may be there twice, and `__proto__` is one. */
function jsonOf(parameters: Pairs): string {
  return `{${parameters.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
}

function repeatedIn(form: string): string[] {
  const names = [...new URLSearchParams(form).keys()];
  return names.filter((name, index) => names.indexOf(name) !== index);
}
