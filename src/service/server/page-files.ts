import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

/** The files of a web page by path, such as `/index.html`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** The build writes the files of both pages to this archive. */
const ARCHIVE = new URL('./pages.json.br', import.meta.url);

const decompress = promisify(brotliDecompress);

/** Reads all files of a page from the archive into memory. Requests never name files on disk. */
export async function readPage(page: 'console' | 'playground', archive = ARCHIVE): Promise<PageFiles> {
  const pages = JSON.parse((await decompress(await readFile(archive))).toString());
  const files = Object.entries<string>(pages[page]);
  return new Map(files.map(([path, text]) => [path, { type: getMediaType(path), body: Buffer.from(text) }]));
}

function getMediaType(path: string): string {
  return TYPES[extname(path)] ?? 'application/octet-stream';
}
