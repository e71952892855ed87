import { formatProperty } from '../../base/strings.ts';
import { showValue } from '../value.ts';
import type { FilterAccess, LookupKey } from './access.ts';

/** When a filter of a set is evaluated. */
export interface FilterCost {
  /**
   * The least selective of its keys: `equal` is cheap, `range` depends on how many filters have a range that includes the
   * number, `present` costs an evaluation for every record with the property, and `always` one for every record.
   */
  readonly access: 'never' | 'equal' | 'range' | 'present' | 'always';
  /** The keys. A record needs one of them, such as `properties["plan"] == "pro"`. */
  readonly keys: readonly string[];
}

const ORDER = ['never', 'equal', 'range', 'present', 'always'] as const;

/** Describes the access to a filter. */
export function describeAccess(access: FilterAccess): FilterCost {
  if (access === undefined) return { access: 'always', keys: [] };
  const ranks = access.map(({ kind }) => ORDER.indexOf(kind === 'odd' ? 'equal' : kind));
  return { access: ORDER[Math.max(0, ...ranks)] ?? 'never', keys: access.map(formatKey) };
}

function formatKey(key: LookupKey): string {
  const { scope, name, cast } = key.read;
  const property = formatProperty(scope, name);
  const [fixity, operator] = cast?.id.split(' ') ?? [];
  const read =
    cast === undefined ? property : fixity === 'function' ? `${operator}(${property})` : `${operator} ${property}`;
  switch (key.kind) {
    case 'equal':
      return `${read} == ${showValue(key.value)}`;
    case 'range':
      return key.low === -Number.MAX_VALUE
        ? `${read} <= ${key.high}`
        : key.high === Number.MAX_VALUE
          ? `${read} >= ${key.low}`
          : `${read} from ${key.low} to ${key.high}`;
    case 'present':
      return `defined(${read})`;
    case 'odd':
      return `${read} is not a boolean`;
  }
}
