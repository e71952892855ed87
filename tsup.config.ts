import { writeFileSync } from 'node:fs';
import { parse } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { noticesOf } from './scripts/notices.ts';
import { packVectors } from './scripts/pack-vectors.ts';
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

/**
 * Leaves out what the server never calls: Fastify's requests for tests, its other language for schemas and its writer
 * of JSON, the OpenAPI document in YAML, metrics with traces, the lists of functions of a formatter of SQL, and signed
 * messages and requests for certificates.
 */
const UNUSED_MODULES = new RegExp(
  [
    ...['^light-my-request$', '^ajv/dist/jtd$', '^@fastify/fast-json-stringify-compiler$', '^yaml$'],
    ...['^@opentelemetry/api$', '\\.functions\\.js$'],
    ...['^@peculiar/asn1-cms$', '^@peculiar/asn1-pkcs9$'],
  ].join('|'),
);

const leaveOut: Plugin = {
  name: 'leave-out',
  setup(build) {
    build.onResolve({ filter: UNUSED_MODULES }, ({ path }) => ({ path, namespace: 'left-out' }));
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
  esbuildPlugins: [notices, trimForEsbuild, leaveOut],
  // Half the text takes half the time to load.
  minify: true,
} satisfies Options;

/** The entries of the library. */
const library = {
  index: 'src/api/index.ts',
  sql: 'src/api/sql.ts',
  translate: 'src/api/translate.ts',
  filters: 'src/api/filter-set.ts',
  codemirror: 'src/editor/codemirror/index.ts',
};

/** The custom element, which only browsers load, by `import`. */
const element = { element: 'src/editor/element/index.ts' };

/** Bundled CommonJS asks for Node's own modules with `require`, which modules do not have. */
const withRequire = {
  name: 'with-require',
  renderChunk(code: string) {
    if (!/\btypeof require\b/.test(code)) return undefined;
    // Not by `import`, and pure: the library, which browsers load too, shares this file.
    const get = "globalThis.process?.getBuiltinModule('module').createRequire(import.meta.url)";
    return { code: `const require = /* @__PURE__ */ (() => ${get})();${code}` };
  },
};

/** No file of the library has effects when it is loaded, but bundlers warn of imports without names. */
const withoutBareImports = {
  name: 'without-bare-imports',
  renderChunk(code: string, { path }: { path: string }) {
    const isLibrary = parse(path).name.replace(/-[A-Z0-9]{8}$/, '') in { ...library, ...element, 'text-editor': true };
    return isLibrary ? { code: code.replace(/import"\.\/chunk-\w+\.js";/g, '') } : undefined;
  },
};

export default defineConfig([
  {
    ...shared,
    // The command line and the library share the files of the language.
    entry: {
      ...library,
      ...element,
      cli: 'src/cli/main.ts',
      worker: 'src/cli/workers/worker.ts',
      'store-worker': 'src/service/store/worker/worker.ts',
      'segment-worker': 'src/service/segments/matcher-thread.ts',
    },
    platform: 'node',
    format: ['esm'],
    splitting: true,
    esbuildOptions(options) {
      // Fastify and its validator ask for three copies in two versions, of which the server calls the common part.
      options.alias = { 'fast-uri': './node_modules/fast-uri/index.js' };
    },
    // Binaries for each platform, and a driver that few need: they are there or not.
    external: ['@duckdb/node-api', 'pg'],
    // CodeMirror tells its own parts by identity: there may be only one copy of it.
    noExternal: [/^(?!@codemirror\/|@duckdb\/|@lezer\/|pg$)/],
    plugins: [withRequire, withoutBareImports],
    // The types of all entries at once, so that they are the same types.
    dts: { entry: { ...library, ...element, core: 'src/api/core.ts' }, resolve: ['@standard-schema/spec'] },
  },
  {
    ...shared,
    entry: library,
    platform: 'neutral',
    format: ['cjs'],
    noExternal: [/^(?!@codemirror\/|@lezer\/)/],
    // Errors are told by their class: there may be only one of each.
    splitting: true,
    dts: { entry: { ...library, core: 'src/api/core.ts' }, resolve: ['@standard-schema/spec'] },
  },
  {
    ...shared,
    entry: { conformance: 'src/api/conformance/run-vectors.ts' },
    platform: 'node',
    format: ['esm'],
    dts: true,
    async onSuccess() {
      packVectors('test/conformance', 'dist/conformance');
    },
  },
  // One file for pages without a bundler, which all who open the page load.
  { ...shared, entry: { core: 'src/api/core.ts' }, platform: 'browser', format: ['esm'] },
]);
