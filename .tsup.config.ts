import { writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { noticesOf } from './scripts/notices.ts';
import { sbomOf } from './scripts/sbom.ts';
import { trimForEsbuild } from './scripts/trim-chevrotain.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const bundled = new Set<string>();

/** Writes the licences of all packages that the build takes in, and their list for scanners, beside the build. */
const notices: Plugin = {
  name: 'notices',
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      for (const input of Object.keys(metafile?.inputs ?? {})) bundled.add(input);
      writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(bundled));
      writeFileSync('dist/sbom.cdx.json', sbomOf(bundled));
    });
  },
};

/** Leaves out the part of Fastify that tests call in place of a server. */
const withoutInjector: Plugin = {
  name: 'without-injector',
  setup(build) {
    build.onResolve({ filter: /^light-my-request$/ }, ({ path }) => ({ path, namespace: 'left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = undefined;' }));
  },
};

const shared = {
  target: 'es2022',
  treeshake: true,
  clean: false,
  silent: true,
  // What is used comes along, so that no consumer installs or imports it.
  noExternal: [/.*/],
  esbuildPlugins: [notices, trimForEsbuild, withoutInjector],
  // Half the text takes half the time to load. Names stay, for whoever reads a stack trace.
  esbuildOptions(options) {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
} satisfies Options;

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', sql: 'src/sql.ts' },
    platform: 'neutral',
    format: ['esm', 'cjs'],
    // Errors are told by their class: there may be only one of each.
    splitting: true,
    // The types of all entries at once, so that they are the same types.
    dts: {
      entry: { index: 'src/index.ts', core: 'src/core.ts', sql: 'src/sql.ts' },
      resolve: ['@standard-schema/spec'],
    },
  },
  // One file for pages without a bundler, which all who open the page load.
  { ...shared, entry: { core: 'src/core.ts' }, platform: 'browser', format: ['esm'], minify: true },
  {
    ...shared,
    entry: { codemirror: 'src/codemirror/index.ts' },
    platform: 'neutral',
    format: ['esm', 'cjs'],
    dts: true,
    // The editor tells its own parts by identity: there may be only one copy of it.
    noExternal: [],
  },
  {
    ...shared,
    entry: { cli: 'src/cli/main.ts', worker: 'src/cli/crew/worker.ts', 'store-worker': 'src/store/worker/worker.ts' },
    platform: 'node',
    format: ['esm'],
    splitting: true,
    // Binaries for each platform, and a driver that few need: they are there or not.
    external: ['@duckdb/node-api', 'pg'],
    noExternal: [/^(?!@duckdb\/|pg$)/],
    // Bundled CommonJS asks for Node's own modules with `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  },
]);
