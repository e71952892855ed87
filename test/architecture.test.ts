import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generated } from '../scripts/generated.ts';
import { readSourceFiles, type SourceFile } from './source-files.ts';

/** Lowest first: a part imports only from lower layers, so parts of one layer do not know each other. */
const LAYERS: readonly (readonly string[])[] = [
  ['util'],
  ['language'],
  ['operators'],
  // The names in the tree are those of the rows.
  ['language/ast.ts'],
  ['language/visit.ts'],
  ['syntax', 'check'],
  ['plan'],
  ['engines'],
  ['explain'],
  ['api'],
  ['verify'],
  // What `verify` asks databases is part of the entry.
  ['sql.ts'],
  ['conformance', 'samples', 'editor', 'events'],
  ['segmentation', 'lsp', 'storage'],
  ['store'],
  ['datasets'],
  ['analytics'],
  ['server'],
  ['cli', 'codemirror'],
  ['web'],
  ['playground', 'console'],
];

/** What a part may import from outside `src`; all others nothing. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  // Types only, which the build takes in.
  api: ['@standard-schema/spec'],
  analytics: ['node:', 'temporal-polyfill'],
  cli: [
    '@clickhouse/client',
    '@duckdb/node-api',
    'commander',
    'csv-parse',
    'node:',
    'pg',
    'sql-formatter',
    '../package.json',
  ],
  codemirror: ['@codemirror', '@lezer'],
  lsp: ['node:', 'vscode-languageserver', 'vscode-languageserver-textdocument'],
  conformance: ['node:'],
  datasets: ['node:'],
  playground: ['csv-parse'],
  server: ['@fastify/swagger', 'fastify', 'node:', 'pino', 'prom-client', 'selfsigned', '../package.json'],
  storage: ['node:'],
  syntax: ['chevrotain'],
  store: ['@clickhouse/client', '@duckdb/node-api', 'node:', '../package.json'],
  web: ['@codemirror', 'uplot'],
};

/** Files that are not named after one of their exports, and what the name stands for instead. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = {
  'analytics/properties.ts': 'the queries about properties',
  'analytics/ranges.ts': 'ranges of numbers that people would choose',
  'api.ts': 'the functions of the package',
  'arguments.ts': 'what the functions of the package are called with',
  'batch-api.ts': 'the functions of the package that take batches',
  'core.ts': 'the entry of the package for pages',
  'explain-api.ts': 'the functions of the package that explain',
  'index.ts': 'the entry of the package',
  'sql-api.ts': 'the functions of the package that lower to SQL',
  'sql.ts': 'the entry of the package for SQL',
  'validators.ts': 'what other libraries take as a validator',
  'check/check.ts': 'the phase',
  'check/json-schema.ts': 'what a JSON Schema says of properties',
  'check/lint.ts': 'the warnings, each a function',
  'cli/answers/grid-lines.ts': 'answers that are grids of percentages',
  'cli/answers/list-lines.ts': 'answers that are lists',
  'cli/commands/dataset.ts': 'the commands over datasets',
  'cli/commands/delete.ts': 'the commands that delete: `delete` cannot be the name of a function',
  'cli/commands/fsck.ts': 'the command',
  'cli/commands/funnel.ts': 'the commands over funnels',
  'cli/commands/secret.ts': 'the commands over secrets',
  'cli/commands/eval.ts': 'the command: `eval` cannot be the name of a function',
  'cli/data-commands.ts': 'the commands over files',
  'cli/explain-lines.ts': 'what is explained, as text',
  'cli/expression-commands.ts': 'the commands over expressions',
  'cli/input/skip-json.ts': 'parts of JSON',
  'cli/main.ts': 'the entry of the command line',
  'cli/program.ts': 'the commands and options',
  'cli/query-commands.ts': 'the commands that ask queries',
  'cli/repl/event-answers.ts': 'the answers about the events',
  'cli/repl/expression-answers.ts': 'the answers about an expression',
  'cli/repl/file-answers.ts': 'the answers that read or write files',
  'cli/service-commands.ts': 'the commands of the service',
  'cli/table.ts': 'tables as text',
  'cli/commands/import.ts': 'the command: `import` cannot be the name of a function',
  'cli/commands/project.ts': 'the commands over projects',
  'cli/commands/query.ts': 'the commands that a database answers',
  'cli/query/column-values.ts': 'what columns mean',
  'cli/crew/worker.ts': 'the entry of a thread',
  'codemirror/index.ts': 'the entry for CodeMirror',
  'console/main.ts': 'the entry of the page',
  'datasets/secrets.ts': 'tokens and secrets, and their hashes',
  'editor/documentation.ts': 'the rows of the table and of a schema, for people',
  'editor/known-properties.ts': 'completions from a schema',
  'editor/known-words.ts': 'completions from the operator table',
  'engines/closures/leaf-copies.ts': 'copies of the leaves, generated',
  'engines/closures/plain.ts': 'whether a record is plain',
  'engines/columnar/number-kernels.ts': 'loops over numbers, generated',
  'engines/columnar/number-loops.ts': 'the other loops over numbers',
  'engines/columnar/test-kernels.ts': 'the loops that test rows',
  'engines/columnar/text-signatures.ts': 'what texts have, in a few bits',
  'engines/sql/element-key.ts': 'elements of lists as the database has them',
  'engines/sql/presence.ts': 'whether a value has a type',
  'events/problems.ts': 'what can be wrong with a record',
  'language/ast.ts': 'the kinds of nodes',
  'language/errors.ts': 'the classes of errors',
  'language/render.ts': 'diagnostics as text',
  'language/source.ts': 'places in a source',
  'language/types.ts': 'the types and sets of them',
  'language/visit.ts': 'ways over a tree',
  'operators/overloads.ts': 'which overload answers',
  'operators/row.ts': 'the shapes of a row of the table',
  'operators/table.ts': 'the operator table',
  'operators/text.ts': 'what strings and lists hold',
  'operators/time.ts': 'what `datetime` answers',
  'operators/uses.ts': 'what a value means for each use',
  'playground/events/messages.ts': 'what the page and its thread say to each other',
  'playground/events/worker.ts': 'the entry of the thread',
  'playground/main.ts': 'the entry of the page',
  'plan/casts.ts': 'casts to what an engine needs',
  'plan/numbers.ts': 'numbers with NaN for none',
  'samples/shop.ts': 'the events of an invented shop',
  'segmentation/buckets.ts': 'days, weeks and other spans of time',
  'server/endpoints/answer-schemas.ts': 'the shapes of answers',
  'server/endpoints/kinds.ts': 'what values parameters take',
  'server/export-answers.ts': 'what the Data Export interface sends',
  'server/failure-answers.ts': 'what clients get who get nothing else',
  'server/parameters.ts': 'what requests bring',
  'server/schemas.ts': 'the shapes of requests and answers',
  'storage/checked-json.ts': 'JSON with a checksum',
  'storage/log-manifest.ts': 'what a log holds',
  'storage/wide-folder.ts': 'folders that other users can read',
  'store/duckdb/census.ts': 'what properties there are',
  'store/duckdb/quote-sql.ts': 'texts as SQL',
  'store/log-line.ts': 'the lines of logs',
  'store/person-updates.ts': 'what updates make of a person',
  'store/promoted.ts': 'the properties that have columns of their own',
  'store/worker/messages.ts': 'what a worker and the one that started it say to each other',
  'store/worker/worker.ts': 'the entry of a process',
  'syntax/foreign-words.ts': 'words of other languages and what they mean here',
  'syntax/lexer.ts': 'the phase',
  'syntax/literal.ts': 'literals read and written',
  'syntax/precedence.ts': 'operators and operands grouped by precedence',
  'syntax/template.ts': 'the template tag and what fills it',
  'syntax/vocabulary.ts': 'the token types',
  'util/interned.ts': 'texts as V8 keeps them',
  'util/next-double.ts': 'the doubles next to a number',
  'verify/inline-table.ts': 'tables that exist inside a statement only',
  'verify/probe-values.ts': 'values that are easy to get wrong',
  'web/dom.ts': 'elements of a page',
};

const MAX_LINES = 400;

const ROOT = new URL('../', import.meta.url);
const FILES = readSourceFiles(new URL('src/', ROOT));
const PATHS = new Set(FILES.map(({ path }) => path));

/** What counts as one: a folder of `src`, an engine, the files of the API, or a file with a layer to itself. */
function partOf(path: string): string {
  if (LAYERS.flat().includes(path)) return path;
  if (!path.includes('/')) return 'api';
  const [folder = '', below] = path.split('/');
  return folder === 'engines' ? `${folder}/${below}` : folder;
}

function layerOf(path: string): number {
  const part = partOf(path);
  const [folder = ''] = part.split('/');
  return LAYERS.findIndex((parts) => parts.includes(part) || (parts.includes(folder) && !LAYERS.flat().includes(part)));
}

/** What an import means: a path from `src` on, or a package. */
function meant(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

function pathsOf(chosen: (file: SourceFile) => boolean): string[] {
  return FILES.filter(chosen).map(({ path }) => path);
}

/** Every import that breaks a rule, in words. */
function importsThat(breakRule: (path: string, module: string) => boolean): string[] {
  return FILES.flatMap(({ path, imports }) =>
    imports
      .map((imported) => meant(path, imported))
      .filter((module) => breakRule(path, module))
      .map((module) => `${path} imports ${module}`),
  );
}

describe('imports', () => {
  it('are between files that have a layer', () => {
    expect(pathsOf(({ path }) => layerOf(path) === -1)).toEqual([]);
  });

  it('point to lower layers, or stay within a part', () => {
    const wrong = importsThat((path, module) => {
      return PATHS.has(module) && partOf(module) !== partOf(path) && layerOf(module) >= layerOf(path);
    });
    expect(wrong).toEqual([]);
  });

  it('from outside are the few that a part may have', () => {
    const wrong = importsThat((path, module) => {
      const allowed = (name: string) => module === name || module.startsWith(name.endsWith(':') ? name : `${name}/`);
      return !PATHS.has(module) && !OUTSIDE[partOf(path)]?.some(allowed);
    });
    expect(wrong).toEqual([]);
  });

  it('make no cycle', () => {
    const next = new Map(FILES.map(({ path, imports }) => [path, imports.map((imported) => meant(path, imported))]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const follow = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' → '));
      if (done.has(path) || way.includes(path)) return;
      for (const to of next.get(path) ?? []) follow(to, [...way, path]);
      done.add(path);
    };
    for (const { path } of FILES) follow(path, []);
    expect(cycles).toEqual([]);
  });
});

describe('the command line', () => {
  it('touches the process in its entry alone: everything else gets an `Io`', () => {
    const touching = FILES.filter(({ imports, names }) => {
      return ['process', 'console'].some((name) => names.has(name) || imports.includes(`node:${name}`));
    });
    const paths = touching.map(({ path }) => path).filter((path) => path.startsWith('cli/'));
    expect(paths).toEqual(['cli/main.ts']);
  });
});

describe('`npm run types`', () => {
  it('compiles everything without the types of Node but the parts that may import them', () => {
    const { exclude } = JSON.parse(readFileSync(new URL('.tsconfig.core.json', ROOT), 'utf8'));
    // The types of csv-parse import those of Node.
    const parts = Object.keys(OUTSIDE).filter((part) =>
      OUTSIDE[part]?.some((name) => name === 'node:' || name === 'csv-parse'),
    );
    expect(exclude).toEqual(parts.map((part) => `src/${part}`).sort());
  });
});

describe('files', () => {
  it('are named after an export, but for those listed here', () => {
    const otherwise = pathsOf(({ path, exports }) => {
      return !exports.some(({ name }) => kebabCase(name) === posix.basename(path, '.ts'));
    });
    expect(otherwise).toEqual(Object.keys(NAMED_OTHERWISE).sort());
  });

  it('document each exported function and class', () => {
    const without = FILES.flatMap(({ path, exports }) =>
      exports.filter(({ callable, documented }) => callable && !documented).map(({ name }) => `${path} ${name}`),
    );
    expect(without).toEqual([]);
  });

  it(`have at most ${MAX_LINES} lines`, () => {
    const long = pathsOf(({ lines }) => lines > MAX_LINES);
    expect(long.filter((path) => !generated().has(`src/${path}`))).toEqual([]);
  });
});

/** `parseTime` and `PARSE_TIME` are `parse-time`. */
function kebabCase(name: string): string {
  return name
    .replace(/[a-z0-9](?=[A-Z])/g, '$&-')
    .replaceAll('_', '-')
    .toLowerCase();
}

describe('generated files', () => {
  it.each([...generated()])('%s is what `npm run generate` writes', (path, text) => {
    expect(readFileSync(new URL(path, ROOT), 'utf8')).toBe(text);
  });
});
