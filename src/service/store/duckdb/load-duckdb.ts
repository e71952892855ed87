import type * as DuckDB from '@duckdb/node-api';
import { devDependencies } from '../../../../package.json';
import { MissingDuckdbError, StoreError } from '../store-error.ts';

const PACKAGE = '@duckdb/node-api';

/** The command that installs DuckDB with onwhere, in the version that the tests use. */
const INSTALL = `npm install onwhere ${PACKAGE}@${devDependencies[PACKAGE]}`;

/**
 * Loads DuckDB, an optional package with native code.
 *
 * @throws {MissingDuckdbError} if it is not installed.
 * @throws {StoreError} if it does not run on this platform.
 */
export async function loadDuckdb(): Promise<typeof DuckDB> {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code?.endsWith('MODULE_NOT_FOUND') !== true)
      throw new StoreError(`DuckDB does not run here: ${message}`, { cause });
    throw new MissingDuckdbError(
      `DuckDB is not installed. Install it with \`${INSTALL}\`; add --global if onwhere is installed globally.`,
      { cause },
    );
  }
}
