import { check, format } from '../../../api/expressions.ts';
import { canonical } from '../../../api/relate.ts';
import type { Use } from '../../../lang/check/check.ts';
import { ExpressionError } from '../../../lang/errors.ts';

/** The expressions of a request by parameter. Requests call the same things alike. */
const USES: Readonly<Record<string, Use>> = { where: 'where', bornWhere: 'where', on: 'value' };

/**
 * Requests with longer expressions in total share answers only if their expressions differ in layout. This bounds the
 * time, and what it leaves is affordable for a database in every spelling: so none is answered that would be refused.
 */
const MAX_CHARACTERS = 4_000;

export interface NormalRequest {
  /** The request with its expressions in normal form. Requests with equal ones have the same answer. */
  readonly request: object;
  /** Whether an expression reads `now`. */
  readonly readsTime: boolean;
}

/** Returns what a request asks, however its expressions are written. */
export function normalizeRequest(request: object, timeZone: string): NormalRequest {
  const found: string[] = [];
  mapExpressions(request, (source) => {
    found.push(source);
    return source;
  });
  const isShort = found.reduce((sum, { length }) => sum + length, 0) <= MAX_CHARACTERS;
  return {
    request: mapExpressions(request, (source, use) => normalize(source, isShort ? use : undefined, timeZone)),
    readsTime: found.some((source) => check(source).readsTime),
  };
}

function mapExpressions(request: object, map: (source: string, use: Use) => string): object {
  const entries = Object.entries(request).map(([name, value]: [string, unknown]): [string, unknown] => {
    const use = USES[name];
    if (use !== undefined && typeof value === 'string') return [name, map(value, use)];
    if (name === 'steps' && Array.isArray(value)) return [name, value.map((step) => mapExpressions(step, map))];
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** Returns the normal form for a use; only the layout is normal without a use, or if the expression always fails. */
function normalize(source: string, use: Use | undefined, timeZone: string): string {
  try {
    return use === undefined ? format(source) : canonical(source, { use, timeZone });
  } catch (error) {
    if (error instanceof ExpressionError) return source;
    throw error;
  }
}
