import { type FileHandle, open, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FormatOptions } from '../data/file-format.ts';
import { type PageFiles, type PageSettings, readPage } from '../service/server/routes/page-files.ts';
import type { FieldOptions } from './choose-fields.ts';
import { decompress, isZstd } from './input/decompress.ts';
import { detectDatabase } from './query/detect-database.ts';

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

/** The event file, and the options that say how to read it. */
export interface PlayedFile {
  readonly file: string;
  readonly options: FieldOptions & FormatOptions & { readonly timeZone?: string };
}

/**
 * Creates a server for the page and one event file, for browsers on this machine. It serves only the files that
 * were in the folder of the page at the start, by their exact paths: a request never reaches the file system.
 */
export async function servePage(played: PlayedFile | undefined): Promise<Server> {
  const page = await loadPage(played);
  return createServer((request, response) => {
    handle(request, response, page, played).catch(() => response.destroy());
  });
}

async function handle(
  { method, url = '', headers, socket }: IncomingMessage,
  response: ServerResponse,
  page: PageFiles,
  played: PlayedFile | undefined,
): Promise<void> {
  // DNS rebinding: a foreign page whose host name resolves to this machine must not read the file.
  const port = socket.localPort === 80 ? '' : `:${socket.localPort}`;
  const hosts = ['127.0.0.1', 'localhost'].map((name) => name + port);
  if (!hosts.includes(headers.host ?? '')) return refuse(response, 421, 'Use the host 127.0.0.1 or localhost.');
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Use GET or HEAD.');
  const path = url.replace(/\?.*/s, '');
  if (path === EVENTS && played !== undefined) return sendFile(response, played, method === 'HEAD');
  const served = page.get(path);
  if (served === undefined) return refuse(response, 404, 'Not found.');
  response.writeHead(200, { ...HEADERS, 'Content-Type': served.type, 'Content-Length': served.body.length });
  response.end(method === 'HEAD' ? undefined : served.body);
}

async function sendFile(response: ServerResponse, { file, options }: PlayedFile, headersOnly: boolean): Promise<void> {
  // Opening a pipe may block forever, and a device may have no end.
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  const opened = isFile ? await open(file).catch(() => undefined) : undefined;
  if (opened === undefined) return refuse(response, 500, 'The file can no longer be read.');
  response.writeHead(200, { ...HEADERS, 'Content-Type': 'application/octet-stream' });
  try {
    if (headersOnly) response.end();
    else await pipeline(await openBytes(opened, file, options), response);
  } finally {
    await opened.close();
  }
}

/** Opens the bytes of a file: unpacked if browsers cannot unpack it, and as NDJSON if they cannot read its format. */
async function openBytes(handle: FileHandle, file: string, options: FormatOptions): Promise<AsyncIterable<Uint8Array>> {
  const kind = await detectDatabase(file, options);
  if (kind !== undefined) return (await import('./query/read-table-lines.ts')).readTableLines(file, kind, options);
  const head = Buffer.alloc(4);
  await handle.read(head, { position: 0 });
  const bytes = handle.createReadStream({ start: 0, autoClose: false });
  return isZstd(head) ? decompress(bytes, file) : bytes;
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}

/** Returns the files of the page. The page gets the name of the event file and how to read it. */
async function loadPage(played: PlayedFile | undefined): Promise<PageFiles> {
  const files = await readPage(played === undefined ? {} : describeFile(played));
  const index = files.get('/index.html');
  if (index === undefined) throw new Error('the files of the page are missing');
  return new Map([...files, ['/', index]]);
}

function describeFile({ file, options }: PlayedFile): PageSettings {
  const { time, user, eventColumn: event, flatten, timeZone } = options;
  const { delimiter, encoding, records, columns, header, decimal } = options;
  const format = { delimiter, encoding, records, columns, header, decimal };
  const reading = JSON.stringify({ time, user, event, flatten, timeZone, ...format });
  return { 'onwhere-file': basename(file), 'onwhere-reading': reading };
}
