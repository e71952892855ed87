import { open, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type PageFiles, readPage } from '../service/server/page-files.ts';

/** A `<meta>` policy cannot set `frame-ancestors`. The page declares the rest of its policy itself. */
const HEADERS = {
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** The path of the event file. */
const EVENTS = '/events';

/**
 * Creates a server for the playground and one event file, for browsers on this machine. It serves only the files that
 * were in the folder of the page at the start, by their exact paths: a request never reaches the file system.
 */
export async function servePlayground(file: string | undefined): Promise<Server> {
  const page = await loadPage(file);
  return createServer((request, response) => {
    handle(request, response, page, file).catch(() => response.destroy());
  });
}

async function handle(
  { method, url = '', headers, socket }: IncomingMessage,
  response: ServerResponse,
  page: PageFiles,
  file: string | undefined,
): Promise<void> {
  // DNS rebinding: a foreign page whose host name resolves to this machine must not read the file.
  const port = socket.localPort === 80 ? '' : `:${socket.localPort}`;
  const hosts = ['127.0.0.1', 'localhost'].map((name) => name + port);
  if (!hosts.includes(headers.host ?? '')) return refuse(response, 421, 'Use the host 127.0.0.1 or localhost.');
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Use GET or HEAD.');
  const path = url.replace(/\?.*/s, '');
  if (path === EVENTS && file !== undefined) return sendFile(response, file, method === 'HEAD');
  const served = page.get(path);
  if (served === undefined) return refuse(response, 404, 'Not found.');
  response.writeHead(200, { ...HEADERS, 'Content-Type': served.type, 'Content-Length': served.body.length });
  response.end(method === 'HEAD' ? undefined : served.body);
}

async function sendFile(response: ServerResponse, file: string, headersOnly: boolean): Promise<void> {
  // Opening a pipe may block forever, and a device may have no end.
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  const opened = isFile ? await open(file).catch(() => undefined) : undefined;
  if (opened === undefined) return refuse(response, 500, 'The file can no longer be read.');
  response.writeHead(200, { ...HEADERS, 'Content-Type': 'application/octet-stream' });
  if (!headersOnly) return pipeline(opened.createReadStream(), response);
  await opened.close();
  response.end();
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}

/** Returns the files of the page. The page gets the name of the event file. */
async function loadPage(file: string | undefined): Promise<PageFiles> {
  const files = await readPage('playground');
  const index = files.get('/index.html');
  if (index === undefined) throw new Error('the files of the playground are missing');
  const body = file === undefined ? index.body : Buffer.from(insertName(index.body.toString(), basename(file)));
  return new Map([...files, ['/', { ...index, body }]]);
}

function insertName(html: string, name: string): string {
  const escaped = name.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return html.replace('<meta name="onwhere-file" content="', (tag) => tag + escaped);
}
