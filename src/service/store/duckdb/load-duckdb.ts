import type * as DuckDB from '@duckdb/node-api';
import { devDependencies } from '../../../../package.json';
import { MissingDuckdbError, StoreError } from '../store-error.ts';

const PACKAGE = '@duckdb/node-api';

/** What installs DuckDB beside onwhere, in the version that the tests run on. */
const INSTALL = `npm install onwhere ${PACKAGE}@${devDependencies[PACKAGE]}`;

/**
 * Loads DuckDB, which has native code and is installed only by those who use it.
 *
 * @throws {MissingDuckdbError} if it is not installed; {@link StoreError} if it is, but does not run here.
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
