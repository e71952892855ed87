import { clickhouse } from './clickhouse.ts';
import { duckdb } from './duckdb.ts';
import { postgresql } from './postgresql.ts';

/** The databases that expressions are lowered for. */
export const DIALECTS = { duckdb, clickhouse, postgresql } as const;
