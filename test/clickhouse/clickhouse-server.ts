import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

/** The part of `chdb/connection` that the server needs. */
interface EmbeddedConnection {
  exec(statement: {
    readonly query: string;
    readonly query_params: Readonly<Record<string, ParameterValue>>;
    readonly clickhouse_settings: Readonly<Record<string, string>>;
    readonly values?: string;
  }): Promise<{ readonly stream: AsyncIterable<Buffer> }>;
  close(): Promise<void>;
}

type ParameterValue = string | null | readonly string[];

/** Parameters of a URL that are not settings. */
const NOT_SETTINGS: ReadonlySet<string> = new Set(['query', 'query_id', 'database', 'session_id', 'role']);

const SYNTAX_ERROR = '62';

/** The database that clients know as `default`. That of ClickHouse in a process is not `Atomic`, as the store needs. */
const DATABASE = 'served';

/** The maximum of ClickHouse. */
const MAX_URL = 2 ** 20;

/**
 * The HTTP interface of ClickHouse over ClickHouse in this process, as far as the official client uses it: statements in
 * the body or the URL, parameters, settings, and errors with their codes. Tests need it because other processes can use
 * the database only over the network, and because it must survive them.
 */
export class ClickHouseServer {
  private readonly server: Server;
  private readonly idle: EmbeddedConnection[] = [];

  private constructor(private readonly connect: () => EmbeddedConnection) {
    this.server = createServer({ maxHeaderSize: MAX_URL }, (request, response) => void this.answer(request, response));
    // The client keeps connections for its next statements.
    this.server.keepAliveTimeout = 60_000;
  }

  /** Starts a server with an empty database on a free port of this machine. */
  static async start(): Promise<ClickHouseServer> {
    const { createChdbConnection } = createRequire(import.meta.url)('chdb/connection');
    const started = new ClickHouseServer(() => createChdbConnection({ path: ':memory:' }));
    // The database lasts as long as it has a connection.
    const connection = started.connect();
    const query = `CREATE DATABASE IF NOT EXISTS ${DATABASE} ENGINE = Atomic`;
    await connection.exec({ query, query_params: {}, clickhouse_settings: {} });
    started.idle.push(connection);
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    for (const connection of this.idle) await connection.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/ping') return void response.end('Ok.\n');
    // Each statement has the connection for itself, because settings stay with a connection.
    const connection = this.idle.pop() ?? this.connect();
    try {
      const { query, values, parameters } = await readStatement(request, searchParams);
      const database = searchParams.get('database') ?? 'default';
      const used = database === 'default' ? DATABASE : database;
      await connection.exec({ query: `USE ${used}`, query_params: {}, clickhouse_settings: {} });
      const result = await connection.exec({
        query,
        query_params: parameters,
        clickhouse_settings: readSettings(searchParams),
        ...(values !== undefined && { values }),
      });
      response.setHeader('X-ClickHouse-Query-Id', searchParams.get('query_id') ?? '');
      for await (const chunk of result.stream) response.write(chunk);
      response.end();
    } catch (error) {
      const { message, code = SYNTAX_ERROR, type = 'UNKNOWN' } = error as Error & { code?: string; type?: string };
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': code });
      response.end(`Code: ${code}. DB::Exception: ${message} (${type}) (version 26.1.1.1)\n`);
    } finally {
      this.idle.push(connection);
    }
  }
}

interface Statement {
  readonly query: string;
  /** The rows of an INSERT. */
  readonly values: string | undefined;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
}

/** Reads a statement: its text is in the URL, then the body has rows; or in the body, as text or as a form. */
async function readStatement(request: IncomingMessage, searchParams: URLSearchParams): Promise<Statement> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  const fields = new URLSearchParams(searchParams);
  let query = fields.get('query');
  let values: string | undefined;
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    for (const [name, value] of form) fields.append(name, String(value));
    query = fields.get('query');
  } else if (query === null) query = body.toString();
  else if (body.length > 0) values = body.toString();
  return { query: query ?? '', values, parameters: readParameters(query ?? '', fields) };
}

/** Reads the values of parameters, which are escaped as in TSV, or are lists of quoted strings. */
function readParameters(query: string, fields: URLSearchParams): Statement['parameters'] {
  const parameters: Record<string, ParameterValue> = {};
  for (const [field, value] of fields) {
    if (!field.startsWith('param_')) continue;
    const name = field.slice('param_'.length);
    const isList = new RegExp(`\\{\\s*${name}\\s*:\\s*Array\\(String\\)`).test(query);
    const items = isList ? [...value.matchAll(/'((?:[^'\\]|\\.)*)'/gs)] : undefined;
    parameters[name] =
      items?.map(([, item = '']) => readEscaped(item)) ?? (value === '\\N' ? null : readEscaped(value));
  }
  return parameters;
}

function readSettings(searchParams: URLSearchParams): Record<string, string> {
  const entries = [...searchParams].filter(([name]) => !NOT_SETTINGS.has(name) && !name.startsWith('param_'));
  return Object.fromEntries(entries);
}

const ESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', '0': '\0' };

function readEscaped(value: string): string {
  return value.replace(/\\(.)/gs, (_, escaped: string) => ESCAPED[escaped] ?? escaped);
}
