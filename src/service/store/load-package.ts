import { createRequire } from 'node:module';
import { StoreError } from './store-error.ts';

const require = createRequire(import.meta.url);

/**
 * Loads a CommonJS package that is installed beside onwhere. Returns undefined if it is not installed.
 *
 * Do not use `import`: Node.js 22 can give modules without values for it if symbolic links lead to the package, as pnpm
 * installs it.
 *
 * @throws {StoreError} if the package is installed but does not load. The message says what to do.
 */
export function loadPackage(name: string): unknown {
  const path = findPackage(name);
  if (path === undefined) return undefined;
  try {
    return require(path);
  } catch (cause) {
    const [reason = ''] = String(cause instanceof Error ? cause.message : cause).split('\n', 1);
    const runtime = `Node.js ${process.versions.node}, ${process.platform} ${process.arch}`;
    throw new StoreError(
      `${path} does not load (${runtime}): ${reason}. Delete the folder node_modules and install again on this machine.`,
      { cause },
    );
  }
}

function findPackage(name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
