import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * Writes the files of the pages into one compressed archive: JSON of their contents by page and path. The pages share
 * most of their code, so the archive has a seventh of their size. `src/service/server/page-files.ts` reads it.
 */
export function packPages(dist: string, pages: readonly string[]): void {
  const archive = Object.fromEntries(pages.map((page) => [page, filesIn(join(dist, page))]));
  const json = JSON.stringify(archive);
  // The window must span both pages.
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(join(dist, 'pages.json.br'), brotliCompressSync(json, { params }));
}

function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length).replaceAll(sep, '/'), readFileSync(path, 'utf8')]),
  );
}
