import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * Writes the files of the page into one compressed archive: JSON of their contents by path.
 * `src/service/server/routes/page-files.ts` reads it.
 */
export function packPage(folder: string, archive: string): void {
  const json = JSON.stringify(filesIn(folder));
  // The window must span all files.
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  mkdirSync(dirname(archive), { recursive: true });
  writeFileSync(archive, brotliCompressSync(json, { params }));
}

function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length).replaceAll(sep, '/'), readFileSync(path, 'utf8')]),
  );
}
