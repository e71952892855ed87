import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as McpServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { LIMITS } from '../../service/server/settings/limits.ts';
import type { OnFailure } from './create-server.ts';

/** The path of the server. */
export const MCP_PATH = '/mcp';

/** More connections are refused. */
const MAX_CONNECTIONS = 100;

/**
 * Creates an HTTP server that answers clients of the Model Context Protocol on this machine. Each request gets a server
 * of its own, so there are no sessions to keep.
 */
export function createMcpHttpServer(create: () => McpServer, onFailure: OnFailure): Server {
  const { headerBytes, headersMs, requestMs, idleMs } = LIMITS;
  const settings = {
    maxHeaderSize: headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
  };
  const server = createHttpServer(settings, (request, response) => {
    handle(create, request, response).catch((error) => {
      onFailure(error);
      response.destroy();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

async function handle(create: () => McpServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '', headers, socket } = request;
  // DNS rebinding: a foreign page whose host name resolves to this machine must not read the data.
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  if (!hosts.includes(headers.host ?? '')) return refuse(response, 421, 'Use the host 127.0.0.1 or localhost.');
  const { origin } = headers;
  // Programs send no origin. Browsers send that of the page, also to this machine.
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
    return refuse(response, 403, 'Pages of other sites are refused.');
  if (url.replace(/\?.*/s, '') !== MCP_PATH) return refuse(response, 404, `Use the path ${MCP_PATH}.`);
  if (method !== 'POST') return refuse(response, 405, 'Use POST: there are no sessions.', { allow: 'POST' });
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: LIMITS.queryBytes,
  });
  const server = create();
  response.on('close', () => void server.close());
  await server.connect(transport as Parameters<McpServer['connect']>[0]);
  await transport.handleRequest(request, response);
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null });
  response.writeHead(status, { ...headers, 'content-type': 'application/json', connection: 'close' }).end(body);
}
