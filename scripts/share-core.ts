import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** The modules whose imports are what commands over files load. */
const CORE = ['src/cli/start.ts', 'src/cli/scan.ts', 'src/cli/commands/count.ts'];

const NAME = 'onwhere-core';

/**
 * Puts the code that commands over files load into few files. Otherwise esbuild makes a file for each set of commands
 * that share some code, and opening 70 of them takes longer than counting the records of a small file. A module that
 * the command line loads when it needs it imports the core too, so that all of them share all of the core.
 */
export const shareCore: Plugin = {
  name: 'share-core',
  setup(build) {
    const lazy = findLazyModules(resolve('src/cli'));
    build.onResolve({ filter: new RegExp(`^${NAME}$`) }, () => ({ path: NAME, namespace: NAME, sideEffects: true }));
    build.onLoad({ filter: /.*/, namespace: NAME }, () => ({
      contents: CORE.map((path) => `import ${JSON.stringify(resolve(path))};`).join(''),
    }));
    build.onResolve({ filter: /.*/, namespace: NAME }, ({ path }) => ({ path, sideEffects: true }));
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!lazy.has(path)) return undefined;
      return { contents: `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(NAME)};`, loader: 'ts' };
    });
  },
};

/** Returns the paths of the modules that modules in a folder import when they need them. */
function findLazyModules(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const found = files.flatMap((path) => {
    const file = resolve(folder, path);
    const imports = readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g);
    return Array.from(imports, ([, specifier = '']) => resolve(dirname(file), specifier));
  });
  return new Set(found);
}
