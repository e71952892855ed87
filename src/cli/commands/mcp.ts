import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { NAME_A_PLACE } from '../api/service-api.ts';
import { type ApiOptions, ensureOnePlace, withProject } from '../api/with-api.ts';
import { readVariable } from '../environment.ts';
import { UsageError } from '../exit.ts';
import { expandFiles } from '../input/expand-files.ts';
import { explainSystemError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { LOOPBACK, listenOnLoopback } from '../listen-on-loopback.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { createServer } from '../mcp/create-server.ts';
import { DataSource } from '../mcp/data-source.ts';
import { createMcpHttpServer, MCP_PATH } from '../mcp/serve-http.ts';
import { TaskThreads } from '../mcp/task-threads.ts';
import { printMessage } from '../messages.ts';

export interface McpOptions extends ApiOptions {
  /** The port of a server over HTTP, 0 for any free one. Without it, the server uses standard input and output. */
  readonly port?: number;
}

const NO_CLIENT =
  'mcp is started by programs: it speaks the Model Context Protocol over standard input and output. ' +
  'Pass --port to serve it over HTTP';

/** Serves tools over files, or over a project of a server or a data folder, until the client or the user ends it. */
export async function runMcp(io: Io, names: readonly string[], { port, ...options }: McpOptions): Promise<void> {
  if (port === undefined && io.in.isTTY) throw new UsageError(NO_CLIENT);
  ensureOnePlace(names, options);
  const files = await expandFiles(names, (note) => printMessage(io, 'note', note));
  await ensureReadable(io, files, options);
  const place = { files, options };
  const { queryTimeLimit } = await loadConfiguration(io, options);
  const data = new DataSource(io, place, new TaskThreads(io, place, queryTimeLimit).run);
  const onFailure = (error: unknown) =>
    printMessage(io, 'error', `internal error: ${error instanceof Error ? error.message : String(error)}`);
  const create = () => createServer(data, onFailure);
  if (port === undefined) return serveStdio(io, create());
  const server = createMcpHttpServer(create, onFailure);
  const found = await listenOnLoopback(server, port);
  await io.out.print([`Model Context Protocol: http://${LOOPBACK}:${found}${MCP_PATH} (press Ctrl-C to stop)`]);
  await once(server, 'close');
}

/**
 * Finds mistakes at the start that the first call would find. The data itself is read when a call needs it.
 *
 * @throws {UsageError} if no place is named
 */
async function ensureReadable(io: Io, files: readonly string[], options: ApiOptions): Promise<void> {
  if (files.length === 0) {
    const { server = readVariable(io, 'server'), project, data } = options;
    if ([server, project, data].every((place) => place === undefined)) throw new UsageError(NAME_A_PLACE);
    await withProject(io, options, (api) => api.query('/overview/project', {}));
    return;
  }
  for (const file of files) {
    if (file === '-') throw new UsageError('mcp reads events more than once, so not from standard input. Name a file');
    await access(file, constants.R_OK).catch((error) => Promise.reject(explainSystemError(error, file)));
  }
}

/** Serves a client until its input ends. */
async function serveStdio(io: Io, server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    io.in.once('end', resolve);
  });
  await server.connect(new StdioServerTransport(io.in as Readable, io.out.stream));
  await closed;
}
