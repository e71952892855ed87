import { clickhouse } from './clickhouse.ts';
import { duckdb } from './duckdb.ts';
import { postgresql } from './postgresql.ts';
import { sqlite } from './sqlite.ts';

/** The supported databases. */
export const DIALECTS = { duckdb, clickhouse, postgresql, sqlite } as const;
