/**
 * The test projects besides `unit`, which takes every other file. A folder ends with a slash; a file has no `.test.ts`.
 * `npm test` runs `unit` and `isolated`: on the sources, without a build.
 */
export const PROJECTS = {
  /** Needs modules or globals that no other file shares: mocks, spies, fake timers, the garbage collector. */
  isolated: [
    'test/analytics/query-turns',
    'test/cli/input',
    'test/cli/repl',
    'test/cli/repl-keys',
    'test/datasets/datasets',
    'test/engines/stateless',
    'test/explain/cost',
    'test/syntax/memory',
  ],
  /** Opens DuckDB or PostgreSQL. */
  database: [
    'test/analytics/buckets',
    'test/analytics/duckdb-analytics',
    'test/analytics/people-sessions',
    'test/analytics/ranges',
    'test/cli/query',
    'test/cli/query-columns',
    'test/cli/query-csv',
    'test/cli/query-hostile',
    'test/cli/sql',
    'test/cli/verify-sql',
    'test/sql/deepest',
    'test/sql/duckdb',
    'test/sql/duckdb-functions',
    'test/sql/nearby-dates',
    'test/sql/postgresql',
    'test/sql/postgresql-functions',
    'test/sql/postgresql-json',
    'test/sql/split',
    'test/store/duckdb-expressions',
    'test/store/duckdb-files',
    'test/store/duckdb-kill',
    'test/store/duckdb-load',
    'test/store/duckdb-store',
    'test/verify/duckdb',
    'test/verify/postgresql',
  ],
  /** Starts processes, reads `dist` or compiles the sources. */
  process: [
    'test/bench',
    'test/cli/ask',
    'test/cli/process',
    'test/cli/repl-readme',
    'test/cli/repl-terminal',
    'test/cli/scan',
    'test/cli/serve',
    'test/codemirror/package',
    'test/engines/codegen',
    'test/lsp/',
    'test/operators/one-row',
    'test/package',
    'test/playground/server',
    'test/readme',
    'test/service/',
    'test/size',
    'test/spawned',
    'test/storage/folder-lock',
    'test/storage/record-log-kill',
    'test/store/worker-store',
  ],
  /** Opens Chromium. */
  browser: [
    'test/browser/',
    'test/codemirror/editor',
    'test/console/page',
    'test/playground/accessible',
    'test/playground/files',
    'test/playground/page',
  ],
  /** Opens ClickHouse, if `npm ci --prefix test/clickhouse` has installed it. */
  clickhouse: ['test/clickhouse/'],
} as const satisfies Record<string, readonly string[]>;
