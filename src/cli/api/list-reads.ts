import { check } from '../../api/expressions.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import { expressionText, funnelSteps } from '../../queries/endpoints/kinds.ts';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { getParameters } from './query-defaults.ts';

/** Returns the properties that the parameters of a query read. */
export function listReads(path: string, query: QueryParameters): PropertyRead[] {
  const declared = getParameters(path);
  return Object.entries(query).flatMap(([name, value]): readonly PropertyRead[] => {
    if (name === 'name') return [{ scope: 'properties', name: value }];
    const kind = declared[name]?.kind;
    const filters = kind === funnelSteps ? funnelSteps.read(value)?.flatMap(({ where = [] }) => where) : undefined;
    const sources = kind === expressionText ? [value] : (filters ?? []);
    return sources.flatMap((source) => check(source).properties);
  });
}
