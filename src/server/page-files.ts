import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** The folder that the build puts a page into, beside the program. */
export function pageFolder(page: 'console' | 'playground'): string {
  return fileURLToPath(new URL(`./${page}/`, import.meta.url));
}

/** Reads the files of a page, once: nothing of a request ever names a file. */
export async function readPage(folder: string): Promise<PageFiles> {
  const files = new Map<string, PageFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    files.set(`/${relative(folder, path).replaceAll(sep, '/')}`, { type, body: await readFile(path) });
  }
  return files;
}
