import { readdirSync, readFileSync } from 'node:fs';
import type { Input } from './engines.ts';

/** A conformance vector: an expression, a record and the expected result. */
export interface Vector {
  readonly id: string;
  readonly expr: string;
  readonly props: Input['properties'];
  readonly user?: Input['user'];
  readonly now?: number;
  readonly timeZone?: string;
  readonly where?: boolean;
  readonly expect: { readonly value?: unknown; readonly undefined?: true; readonly error?: 'syntax' | 'type' };
}

const folder = new URL('./conformance/', import.meta.url);

/** The names of the files of vectors. */
export const VECTOR_FILES: readonly string[] = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));

/** Reads a file of vectors. */
export function vectorsIn(file: string): Vector[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
  // Some vectors have -0.0, which equals zero.
  const zero = (_: string, value: unknown) => (value === 0 ? 0 : value);
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line, zero) as Vector);
}
