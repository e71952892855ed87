import type * as DuckDB from '@duckdb/node-api';
import { devDependencies } from '../../../../package.json';
import { loadPackage } from '../load-package.ts';
import { MissingDuckdbError } from '../store-error.ts';

const PACKAGE = '@duckdb/node-api';

/** The command that installs DuckDB with onwhere, in the version that the tests use. */
const INSTALL = `npm install onwhere ${PACKAGE}@${devDependencies[PACKAGE]}`;

/**
 * Loads DuckDB, an optional package with native code.
 *
 * @throws {MissingDuckdbError} if it is not installed.
 * @throws {StoreError} if it is installed but does not load.
 */
export function loadDuckdb(): typeof DuckDB {
  const duckdb = loadPackage(PACKAGE);
  if (duckdb !== undefined) return duckdb as typeof DuckDB;
  throw new MissingDuckdbError(
    `DuckDB is not installed. Install it with \`${INSTALL}\`; add --global if onwhere is installed globally.`,
  );
}
