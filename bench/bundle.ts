import { build } from 'tsup';
import { trimForEsbuild } from '../scripts/trim-chevrotain.ts';

/**
 * Bundles the processes that are timed from the sources, with the settings of the package's own build, so that what
 * is timed is the code that is shipped, together with the engines that the package does not export. Peers are
 * loaded from `bench/node_modules`.
 */
export async function bundle(): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: [
      'bench/child.ts',
      'bench/files/by-hand-process.ts',
      'bench/files/duckdb-process.ts',
      'bench/service/client-process.ts',
    ],
    outDir: 'bench/.build',
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    treeshake: true,
    splitting: false,
    noExternal: [/.*/],
    esbuildPlugins: [trimForEsbuild],
    esbuildOptions(options) {
      options.minifyWhitespace = true;
      options.minifySyntax = true;
    },
  });
}
