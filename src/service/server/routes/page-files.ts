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

/** The files of the page by path, such as `/index.html`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** The build writes the files of the page to this archive. */
const ARCHIVE = new URL('./page.json.br', import.meta.url);

const decompress = promisify(brotliDecompress);

/** Settings of the page: values of its `<meta>` elements by name. */
export type PageSettings = Readonly<Record<string, string>>;

/**
 * Reads all files of the page from the archive into memory, and writes the settings into its `index.html`. Requests
 * never name files on disk.
 */
export async function readPage(settings: PageSettings, archive = ARCHIVE): Promise<PageFiles> {
  const files: Record<string, string> = JSON.parse((await decompress(await readFile(archive))).toString());
  const index = Object.entries(settings).reduce(insertMeta, files['/index.html'] ?? '');
  return new Map(
    Object.entries({ ...files, '/index.html': index }).map(([path, text]) => {
      return [path, { type: getMediaType(path), body: Buffer.from(text) }];
    }),
  );
}

function insertMeta(html: string, [name, content]: readonly [string, string]): string {
  const escaped = content.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return html.replace(`<meta name="${name}" content="`, (tag) => tag + escaped);
}

function getMediaType(path: string): string {
  return TYPES[extname(path)] ?? 'application/octet-stream';
}
