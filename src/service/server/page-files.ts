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

/** A file of a page, in memory. */
interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

/** The files of a page by their paths, `/index.html` and what it asks for. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Where the build writes the files of both pages, beside the program. */
const ARCHIVE = new URL('./pages.json.br', import.meta.url);

const decompress = promisify(brotliDecompress);

/** Reads the files of a page from the archive, once: nothing of a request ever names a file. */
export async function readPage(page: 'console' | 'playground', archive = ARCHIVE): Promise<PageFiles> {
  const pages = JSON.parse((await decompress(await readFile(archive))).toString());
  const files = Object.entries<string>(pages[page]);
  return new Map(files.map(([path, text]) => [path, { type: typeOf(path), body: Buffer.from(text) }]));
}

function typeOf(path: string): string {
  return TYPES[extname(path)] ?? 'application/octet-stream';
}
