import { defineConfig } from 'tsup';
import cli from './scripts/cli-build.ts';
import { divideLibrary, introduceChevrotain } from './scripts/library-files.ts';
import { listPackages } from './scripts/list-packages.ts';
import { packVectors } from './scripts/pack-vectors.ts';
import { restoreComments } from './scripts/readable-script.ts';
import { trimForEsbuild } from './scripts/trim-chevrotain.ts';

const { entry, plugin } = await divideLibrary();

export default defineConfig([
  cli,
  {
    entry,
    platform: 'neutral',
    target: 'es2022',
    format: ['esm'],
    splitting: false,
    // Merges the imports of all sources in a file, and drops what the file does not use, with its comments.
    treeshake: { moduleSideEffects: 'no-external' },
    sourcemap: true,
    removeNodeProtocol: false,
    external: [/^node:/],
    silent: true,
    esbuildOptions(options) {
      options.legalComments = 'inline';
    },
    esbuildPlugins: [listPackages, trimForEsbuild, plugin],
    plugins: [restoreComments, introduceChevrotain],
    // CodeMirror tells its own parts by identity: there may be only one copy of it.
    noExternal: [/^(?!@codemirror\/|@lezer\/|node:)/],
    async onSuccess() {
      packVectors('test/conformance', 'dist/conformance');
    },
  },
]);
