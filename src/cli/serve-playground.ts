import { open, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type PageFiles, readPage } from '../service/server/page-files.ts';

/** The page itself says what it may load; only this cannot be said there. */
const HEADERS = {
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** Where the page asks for the file that it is about. */
const EVENTS = '/events';

/**
 * Serves the playground to browsers on this machine, and with it one file of events. Only what was in the folder at the start can be
 * asked for, by its exact path; nothing of a request ever names a file.
 */
export async function servePlayground(file: string | undefined): Promise<Server> {
  const page = await pageFiles(file);
  return createServer((request, response) => {
    answer(request, response, page, file).catch(() => response.destroy());
  });
}

async function answer(
  { method, url = '', headers, socket }: IncomingMessage,
  response: ServerResponse,
  page: PageFiles,
  file: string | undefined,
): Promise<void> {
  // A name that someone else made point here (DNS rebinding) must not open the file to their page.
  const port = socket.localPort === 80 ? '' : `:${socket.localPort}`;
  const hosts = ['127.0.0.1', 'localhost'].map((name) => name + port);
  if (!hosts.includes(headers.host ?? '')) return refuse(response, 421, 'This server answers to 127.0.0.1 only.');
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Only GET and HEAD are answered.');
  const path = url.replace(/\?.*/s, '');
  if (path === EVENTS && file !== undefined) return sendFile(response, file, method === 'HEAD');
  const served = page.get(path);
  if (served === undefined) return refuse(response, 404, 'There is nothing here.');
  response.writeHead(200, { ...HEADERS, 'Content-Type': served.type, 'Content-Length': served.body.length });
  response.end(method === 'HEAD' ? undefined : served.body);
}

async function sendFile(response: ServerResponse, file: string, headersOnly: boolean): Promise<void> {
  // To open what has no end or, like a pipe, no beginning may take forever.
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  const opened = isFile ? await open(file).catch(() => undefined) : undefined;
  if (opened === undefined) return refuse(response, 500, 'the file cannot be read any more');
  response.writeHead(200, { ...HEADERS, 'Content-Type': 'application/octet-stream' });
  if (!headersOnly) return pipeline(opened.createReadStream(), response);
  await opened.close();
  response.end();
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}

/** The files of the page, which itself is told the name of the file. */
async function pageFiles(file: string | undefined): Promise<PageFiles> {
  const files = await readPage('playground');
  const index = files.get('/index.html');
  if (index === undefined) throw new Error('the files of the playground are missing');
  const body = file === undefined ? index.body : Buffer.from(withName(index.body.toString(), basename(file)));
  return new Map([...files, ['/', { ...index, body }]]);
}

function withName(html: string, name: string): string {
  const escaped = name.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return html.replace('<meta name="onwhere-file" content="', (tag) => tag + escaped);
}
