import { build } from 'tsup';
import { trimForEsbuild } from '../scripts/trim-chevrotain.ts';

/**
 * Bundles the timed processes from the sources, with the settings of the package build. The benchmark then times the
 * code that is shipped, and the engines that the package does not export. Peers load from `bench/node_modules`.
 */
export async function bundle(): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: [
      'bench/child.ts',
      'bench/files/by-hand-process.ts',
      'bench/files/duckdb-process.ts',
      'bench/relations/relations-process.ts',
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
