import { dirname, relative, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import type { Options } from 'tsup';
import { CHANGES } from './notices.ts';
import { toReadableScript } from './readable-script.ts';

/** The sources of the entries, by the paths of their files without `.js`. */
export const LIBRARY = {
  index: 'src/api/index.ts',
  sql: 'src/api/sql.ts',
  translate: 'src/api/translate.ts',
  filters: 'src/api/filter-set.ts',
  relate: 'src/api/relate.ts',
  typed: 'src/api/typed.ts',
  core: 'src/api/core.ts',
  conformance: 'src/api/conformance/run-vectors.ts',
  codemirror: 'src/editor/codemirror/index.ts',
  monaco: 'src/editor/monaco/index.ts',
  element: 'src/editor/element/index.ts',
};

/** The sources with what they import, by path. */
type Sources = Metafile['inputs'];

/** Returns the path of the file that a source is in, without `.js`. */
type FileOf = (source: string) => string;

/** The part of Chevrotain that the library uses. */
const CHEVROTAIN = `export { createToken, EmbeddedActionsParser, EOF, Lexer } from 'chevrotain';`;

/** Tells readers of the file of Chevrotain what it is. No line moves, so its source map still fits. */
export const introduceChevrotain: NonNullable<Options['plugins']>[number] = {
  name: 'introduce-chevrotain',
  renderChunk(code, { path, map = null }) {
    if (!path.endsWith('/chevrotain.js')) return undefined;
    const licence = 'https://chevrotain.io, Apache License 2.0: see THIRD-PARTY-NOTICES.txt';
    return { code: `/* Chevrotain, ${licence}. ${CHANGES.chevrotain} */ ${code}`, map };
  },
};

/**
 * Divides the sources of the library into the files to publish, by their paths without `.js`: one for each entry, one for
 * each source that is loaded on demand, and one for each folder whose sources these share. A stack trace then names a
 * place, and a program loads few files.
 */
export async function divideLibrary(): Promise<{ readonly entry: Record<string, string>; readonly plugin: Plugin }> {
  const sources = await readSources(Object.values(LIBRARY));
  const roots = { ...LIBRARY, ...findLazySources(sources) };
  const fileOf = assignFiles(roots, sources);
  const folders = new Set(
    Object.keys(sources)
      .map(fileOf)
      .filter((file) => !(file in roots)),
  );
  const codes = new Map(Array.from(folders, (folder) => [`src/${folder}`, exportShared(folder, sources, fileOf)]));
  codes.set('node_modules/chevrotain', CHEVROTAIN);
  const paths = Array.from(codes.keys(), (path) => [path.replace(/^(?:src|node_modules)\//, ''), path]);
  return { entry: { ...roots, ...Object.fromEntries(paths) }, plugin: writeFiles(codes, fileOf) };
}

/** Returns the sources that the entries reach. Packages and types are not among them. */
async function readSources(entryPoints: string[]): Promise<Sources> {
  const options = { bundle: true, write: false, metafile: true, outdir: 'dist', packages: 'external' } as const;
  const { metafile } = await build({ ...options, format: 'esm', entryPoints });
  return metafile.inputs;
}

/** Returns the sources that are loaded on demand, by the paths of their files. */
function findLazySources(sources: Sources): Record<string, string> {
  const imports = Object.values(sources).flatMap(({ imports }) => imports);
  const lazy = imports.filter(({ kind, external }) => kind === 'dynamic-import' && !external);
  return Object.fromEntries(lazy.map(({ path }) => [path.replace(/^src\/|\.ts$/g, ''), path]));
}

/**
 * Assigns each source to a file. The sources of the language are by folder. Other sources are too, unless only one of the
 * roots reaches them.
 */
function assignFiles(roots: Readonly<Record<string, string>>, sources: Sources): FileOf {
  const reached = new Map<string, string[]>();
  for (const [file, root] of Object.entries(roots)) {
    for (const path of reachFrom(root, sources)) reached.set(path, [...(reached.get(path) ?? []), file]);
  }
  const files = new Map(Object.entries(roots).map(([file, root]) => [root, file]));
  return (source) => {
    const [, folder = ''] = /^src\/(lang\/engines\/[^/]+|[^/]+\/[^/]+|[^/]+)\//.exec(source) ?? [];
    const [file = '', ...others] = reached.get(source) ?? [];
    return files.get(source) ?? (others.length === 0 && !folder.startsWith('lang') ? file : folder);
  };
}

/** Returns a source and all that are loaded with it. */
function reachFrom(source: string, sources: Sources, reached = new Set<string>()): Set<string> {
  if (reached.has(source)) return reached;
  reached.add(source);
  for (const { path, kind } of sources[source]?.imports ?? []) {
    if (path in sources && kind === 'import-statement') reachFrom(path, sources, reached);
  }
  return reached;
}

/** Returns the code of a folder's file: it exports the sources that other files import. */
function exportShared(folder: string, sources: Sources, fileOf: FileOf): string {
  const others = Object.keys(sources).filter((path) => fileOf(path) !== folder);
  const imported = new Set(others.flatMap((path) => sources[path]?.imports.map(({ path }) => path) ?? []));
  const shared = [...imported].filter((path) => path in sources && fileOf(path) === folder);
  return shared.map((path) => `export * from './${path}';`).join('\n');
}

/** @param codes The code of each entry that is not a source. */
function writeFiles(codes: ReadonlyMap<string, string>, fileOf: FileOf): Plugin {
  const root = process.cwd();
  const linkTo = (from: string, to: string) => {
    const path = relative(dirname(from), `${to}.js`);
    return { path: path.startsWith('.') ? path : `./${path}`, external: true, sideEffects: false };
  };
  return {
    name: 'library-files',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, importer, kind, namespace, resolveDir }) => {
        if (kind === 'entry-point' && codes.has(path)) return { path, namespace: 'codes' };
        const source = relative(root, importer);
        if (namespace !== 'file' || kind === 'entry-point' || !source.startsWith('src/')) return undefined;
        if (path === 'chevrotain') return linkTo(fileOf(source), path);
        if (!path.startsWith('.')) return undefined;
        const file = fileOf(relative(root, resolve(resolveDir, path)));
        return file === fileOf(source) ? undefined : linkTo(fileOf(source), file);
      });
      onLoad({ filter: /./, namespace: 'codes' }, ({ path }) => ({
        contents: codes.get(path) ?? '',
        resolveDir: root,
      }));
      onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => ({ contents: toReadableScript(path) }));
    },
  };
}
