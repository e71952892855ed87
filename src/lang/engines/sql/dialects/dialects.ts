import { clickhouse } from './clickhouse.ts';
import { duckdb } from './duckdb.ts';
import { postgresql } from './postgresql.ts';

/** The supported databases. */
export const DIALECTS = { duckdb, clickhouse, postgresql } as const;
