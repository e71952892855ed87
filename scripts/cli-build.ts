import type { Plugin } from 'esbuild';
import type { Options } from 'tsup';
import { listPackages } from './list-packages.ts';
import { shareCore } from './share-core.ts';
import { trimForEsbuild } from './trim-chevrotain.ts';

/**
 * Leaves out what the server never calls: Fastify's requests for tests, its other language for schemas and its writer
 * of JSON, the OpenAPI document in YAML, metrics with traces, and signed messages and requests for certificates.
 */
const UNUSED_MODULES = new RegExp(
  [
    ...['^light-my-request$', '^ajv/dist/jtd$', '^@fastify/fast-json-stringify-compiler$', '^yaml$'],
    ...['^@opentelemetry/api$', '^@peculiar/asn1-cms$', '^@peculiar/asn1-pkcs9$'],
  ].join('|'),
);

const leaveOut: Plugin = {
  name: 'leave-out',
  setup(build) {
    build.onResolve({ filter: UNUSED_MODULES }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = undefined;' }));
  },
};

/** Commander starts other programs as commands only for those that declare a file. Loading this would slow every start. */
const leaveOutPrograms: Plugin = {
  name: 'leave-out-programs',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/commander/') ? { path, namespace: 'left-out' } : undefined,
    );
  },
};

/** Bundled CommonJS asks for Node's own modules with `require`, which modules do not have. */
const withRequire = {
  name: 'with-require',
  renderChunk(code: string) {
    if (!/\btypeof require\b/.test(code)) return undefined;
    return { code: `import{createRequire}from"node:module";const require=createRequire(import.meta.url);${code}` };
  },
};

/** The command line with the server: `npm start` needs nothing else but the page. */
const cli: Options = {
  entry: {
    main: 'src/cli/main.ts',
    worker: 'src/cli/workers/worker.ts',
    'store-worker': 'src/service/store/worker/worker.ts',
    'filter-worker': 'src/service/saved-filters/matcher-thread.ts',
    'mcp-worker': 'src/cli/mcp/task-thread.ts',
  },
  outDir: 'dist/cli',
  platform: 'node',
  target: 'es2022',
  format: ['esm'],
  splitting: true,
  minify: true,
  silent: true,
  // Otherwise plugins do not see the modules of Node.js.
  removeNodeProtocol: false,
  esbuildPlugins: [shareCore, listPackages, trimForEsbuild, leaveOut, leaveOutPrograms],
  esbuildOptions(options) {
    // Fastify and its validator install three copies of two versions. The server only calls what both versions have.
    options.alias = { 'fast-uri': './node_modules/fast-uri/index.js' };
  },
  // Binaries for each platform, and a driver that few need. They may be missing.
  external: ['@duckdb/node-api', 'pg'],
  // The build contains the packages that it uses, so that no consumer installs or imports them.
  noExternal: [/^(?!@duckdb\/|pg$)/],
  plugins: [withRequire],
};

export default cli;
