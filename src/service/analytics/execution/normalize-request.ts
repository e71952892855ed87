import type { Use } from '../../../lang/check/check.ts';
import { ExpressionCheckError } from '../../../lang/errors.ts';
import { toNormalText } from '../../../lang/relate/normal-text.ts';
import { print } from '../../../lang/syntax/print.ts';
import type { CheckedExpressions } from '../../../queries/checked-expressions.ts';

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
export function normalizeRequest(request: object, expressions: CheckedExpressions): NormalRequest {
  let characters = 0;
  let readsTime = false;
  mapExpressions(request, (source, use) => {
    characters += source.length;
    readsTime ||= expressions.readsTime(source, use);
    return source;
  });
  const isShort = characters <= MAX_CHARACTERS;
  return {
    request: mapExpressions(request, (source, use) => normalize(source, use, isShort, expressions)),
    readsTime,
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

/** Returns the normal form of a short expression, a long one in normal layout, and one that always fails unchanged. */
function normalize(source: string, use: Use, isShort: boolean, expressions: CheckedExpressions): string {
  try {
    const checked = expressions.check(source, use);
    return isShort ? toNormalText(checked, use) : print(checked.tree);
  } catch (error) {
    if (error instanceof ExpressionCheckError) return source;
    throw error;
  }
}
