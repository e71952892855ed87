import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateFiles } from '../scripts/generated.ts';
import { readSourceFiles, type SourceFile } from './source-files.ts';

/**
 * The doors of `src`, lowest first, and the modules outside `src` that each may import. A door imports only itself and
 * doors above it in this list. Doors of one row do not import each other.
 */
const DOORS: readonly Readonly<Record<string, readonly string[]>>[] = [
  { base: [] },
  { lang: ['chevrotain'] },
  // The first has only types, which the build bundles.
  { api: ['@standard-schema/spec', 'node:'] },
  {
    // Of the last, only types.
    editor: ['@codemirror', '@lezer', 'node:', 'vscode-languageserver', 'vscode-languageserver-textdocument', 'vue'],
    data: [],
  },
  { queries: ['temporal-polyfill'] },
  {
    service: [
      '@clickhouse/client',
      '@duckdb/node-api',
      '@fastify/swagger',
      'fastify',
      'node:',
      'pino',
      'prom-client',
      'selfsigned',
      'temporal-polyfill',
      '../package.json',
    ],
  },
  {
    cli: [
      '@clickhouse/client',
      '@duckdb/node-api',
      '@modelcontextprotocol/sdk',
      'commander',
      'csv-parse',
      'node:',
      'pg',
      '../package.json',
    ],
    web: ['@codemirror', '@preact', 'csv-parse', 'preact'],
  },
];

/**
 * The layers within a door, lowest first. Parts of one layer do not import each other. `.` is the files of the folder
 * itself.
 */
const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  lang: [
    ['.'],
    ['operators'],
    // Trees use the operator names of the table.
    ['ast.ts'],
    ['syntax', 'check'],
    ['foreign', 'form', 'plan'],
    ['engines'],
    ['explain', 'filters'],
    ['relate'],
  ],
  // Where no loop over columns is possible, `columnar` compiles closures.
  'lang/engines': [['.', 'closures', 'codegen', 'sql'], ['columnar']],
  // `sql.ts` also exports `verifyDialect`.
  api: [['.'], ['conformance', 'verify'], ['sql.ts']],
  editor: [['.'], ['codemirror', 'lsp', 'monaco'], ['element']],
  service: [['locks'], ['storage'], ['store'], ['datasets'], ['analytics', 'saved-filters'], ['server']],
  // Every room reports events.
  'service/datasets': [['service-event.ts'], ['files'], ['catalog', 'saved', 'imports'], ['versions'], ['open'], ['.']],
  // Every room notes how queries are answered.
  'service/analytics': [['query-trace.ts'], ['sql'], ['queries', 'execution', 'people'], ['exports'], ['.']],
  'service/server': [
    ['settings'],
    ['connections', 'access', 'monitoring'],
    ['requests'],
    ['responses'],
    ['routes'],
    ['.'],
  ],
  web: [['shared'], ['answers', 'events'], ['file'], ['explore', 'questions'], ['saved'], ['app']],
};

/** Longer files are worth a look: they need a reason here. */
const LONG_LINES = 400;

const LONG_FILES: Readonly<Record<string, string>> = {
  'lang/foreign/sql.ts': 'one recursive descent over the conditions and values of SQL, which contain each other',
};

const ROOT = new URL('../', import.meta.url);
const FILES = readSourceFiles(new URL('src/', ROOT));
const PATHS = new Set(FILES.map(({ path }) => path));

/** Returns the part of a folder that contains a file, as {@link LAYERS} names it. */
function partIn(folder: string, path: string): string {
  const below = path.slice(folder.length + 1);
  if (LAYERS[folder]?.flat().includes(below)) return below;
  return below.includes('/') ? (below.split('/')[0] as string) : '.';
}

function layerIn(folder: string, path: string): number {
  return LAYERS[folder]?.findIndex((parts) => parts.includes(partIn(folder, path))) ?? -1;
}

const doorOf = (path: string): string => path.split('/')[0] as string;
const floorOf = (path: string): number => DOORS.findIndex((doors) => doorOf(path) in doors);

/** Returns whether a file may import another: in a lower door, in a lower layer of its door, or in its own part. */
function mayImport(path: string, imported: string): boolean {
  if (doorOf(path) !== doorOf(imported)) return floorOf(imported) < floorOf(path);
  const shared = Object.keys(LAYERS).filter((folder) => [path, imported].every((one) => one.startsWith(`${folder}/`)));
  return shared.every((folder) => {
    if (partIn(folder, path) === partIn(folder, imported)) return true;
    return layerIn(folder, imported) < layerIn(folder, path);
  });
}

/** Resolves an import to a path below `src`, without a query string, or to a package. */
function resolveImport(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier.replace(/\?.*$/, '')) : specifier;
}

function pathsOf(matches: (file: SourceFile) => boolean): string[] {
  return FILES.filter(matches).map(({ path }) => path);
}

/** Returns a line for each import that breaks a rule. */
function importsThat(breakRule: (path: string, module: string) => boolean): string[] {
  return FILES.flatMap(({ path, imports }) =>
    imports
      .map((imported) => resolveImport(path, imported))
      .filter((module) => breakRule(path, module))
      .map((module) => `${path} imports ${module}`),
  );
}

describe('imports', () => {
  it('connect files that belong to a layer', () => {
    const folders = Object.keys(LAYERS);
    const isPlaced = (path: string) =>
      floorOf(path) !== -1 && folders.every((folder) => !path.startsWith(`${folder}/`) || layerIn(folder, path) !== -1);
    expect(pathsOf(({ path }) => !isPlaced(path))).toEqual([]);
  });

  it('point to lower layers or stay within a part', () => {
    expect(importsThat((path, module) => PATHS.has(module) && !mayImport(path, module))).toEqual([]);
  });

  it('of `onwhere` and of the checker do not lead to relations', () => {
    const next = new Map(
      FILES.map(({ path, imports }) => [path, imports.map((imported) => resolveImport(path, imported))]),
    );
    const reached = new Set(['api/index.ts', ...pathsOf(({ path }) => path.startsWith('lang/check/'))]);
    for (const path of reached) for (const module of next.get(path) ?? []) reached.add(module);
    expect([...reached].filter((path) => path.startsWith('lang/relate/'))).toEqual([]);
  });

  it('of the page do not lead to the service: both share the contract of the queries', () => {
    expect(importsThat((path, module) => path.startsWith('web/') && module.startsWith('service/'))).toEqual([]);
  });

  it('from outside `src` are only those that a door allows', () => {
    const outside: Readonly<Record<string, readonly string[]>> = Object.assign({}, ...DOORS);
    const wrong = importsThat((path, module) => {
      const allowed = (name: string) => module === name || module.startsWith(name.endsWith(':') ? name : `${name}/`);
      return !PATHS.has(module) && !outside[doorOf(path)]?.some(allowed);
    });
    expect(wrong).toEqual([]);
  });

  it('have no cycles', () => {
    const next = new Map(
      FILES.map(({ path, imports }) => [path, imports.map((imported) => resolveImport(path, imported))]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const follow = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (done.has(path) || trail.includes(path)) return;
      for (const to of next.get(path) ?? []) follow(to, [...trail, path]);
      done.add(path);
    };
    for (const { path } of FILES) follow(path, []);
    expect(cycles).toEqual([]);
  });
});

describe('the command line', () => {
  it('uses the process only in its entries; everything else gets an `Io`', () => {
    const touching = FILES.filter(({ imports, names }) => {
      return ['process', 'console'].some((name) => names.has(name) || imports.includes(`node:${name}`));
    });
    const paths = touching.map(({ path }) => path).filter((path) => path.startsWith('cli/'));
    expect(paths).toEqual(['cli/main.ts', 'cli/mcp/task-thread.ts']);
  });
});

describe('`npm run types`', () => {
  it('checks every folder without the types of Node.js, except those that import them', () => {
    const { exclude } = JSON.parse(readFileSync(new URL('tsconfig.browser.json', ROOT), 'utf8'));
    const needsNode = pathsOf(({ imports }) => imports.some((name) => name.startsWith('node:')));
    const folders = exclude.map((folder: string) => folder.replace('src/', ''));
    expect(needsNode.filter((path) => !folders.some((folder: string) => path.startsWith(`${folder}/`)))).toEqual([]);
    expect(folders.filter((folder: string) => !needsNode.some((path) => path.startsWith(`${folder}/`)))).toEqual([]);
  });
});

describe('expressions', () => {
  /** These read text that somebody is still writing, has written for another program, or that a shell has changed. */
  const READS_TEXT = [
    'lang/source.ts',
    'lang/syntax/',
    'lang/foreign/',
    // Between the parts of a source, it reads the parentheses that it removes with one.
    'lang/relate/remove-part.ts',
    'editor/',
    'cli/mcp/guess/',
    'cli/repl/',
    'cli/shell-quotes.ts',
    'cli/run-cli.ts',
  ];

  it('are never searched by their characters: a checked tree knows what they read', () => {
    const isExpression = (code: string) =>
      /\b(?:where|on|bornWhere|source|expression)\b|JSON\.stringify\((?!record)/.test(code);
    const searching = FILES.filter(({ path }) => !READS_TEXT.some((part) => path.startsWith(part))).flatMap(
      ({ path, searched }) => searched.filter(isExpression).map((code) => `${path} searches ${code}`),
    );
    expect(searching).toEqual([]);
  });
});

describe('exports', () => {
  it('have a name that no other file of their door exports', () => {
    const places = new Map<string, Set<string>>();
    for (const { path, exports } of FILES) {
      for (const { name } of exports) {
        const known = `${doorOf(path)} ${name}`;
        places.set(known, (places.get(known) ?? new Set()).add(path));
      }
    }
    expect([...places].filter(([, paths]) => paths.size > 1)).toEqual([]);
  });
});

describe('files', () => {
  it('document each exported function and class', () => {
    const without = FILES.flatMap(({ path, exports }) =>
      exports.filter(({ callable, documented }) => callable && !documented).map(({ name }) => `${path} ${name}`),
    );
    expect(without).toEqual([]);
  });

  it('have docstrings that name a thing or say what is done, and do not begin with "What"', () => {
    const riddles = FILES.flatMap(({ path, docstrings }) =>
      docstrings.filter((first) => first.startsWith('What ')).map((first) => `${path}: ${first}`),
    );
    expect(riddles).toEqual([]);
  });

  it(`of more than ${LONG_LINES} lines are listed with the reason`, () => {
    expect(pathsOf(({ lines }) => lines > LONG_LINES)).toEqual(Object.keys(LONG_FILES));
  });
});

describe('ARCHITECTURE.md', () => {
  const map = readFileSync(new URL('ARCHITECTURE.md', ROOT), 'utf8');
  const rows = [...map.matchAll(/^\| (`[^|]+`) \| [^|]+ \|/gm)].map(([, cell = '']) => cell);
  const listed = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, folder = '']) => folder));

  it('names only folders that exist', () => {
    expect(listed.filter((folder) => !FILES.some(({ path }) => path.startsWith(`${folder}/`)))).toEqual([]);
  });

  it('names every door and every part, except those of the web pages', () => {
    const doors = DOORS.flatMap((row) => Object.keys(row));
    const parts = Object.entries(LAYERS).flatMap(([folder, layers]) =>
      ['lang/engines', 'web'].includes(folder) ? [] : layers.flat().map((part) => `${folder}/${part}`),
    );
    const missing = [...doors, ...parts].filter((path) => !path.includes('.') && !listed.includes(path));
    expect(missing).toEqual([]);
  });
});

describe('generated files', () => {
  it.each([...generateFiles()])('%s is up to date with `npm run generate`', (path, text) => {
    expect(readFileSync(new URL(path, ROOT), 'utf8')).toBe(text);
  });
});
