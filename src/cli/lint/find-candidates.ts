import { type Compiled, compileWhere } from '../../api/expressions.ts';
import { FilterSet } from '../../api/filter-set.ts';
import type { Witness } from '../../api/relate.ts';
import { ExpressionTypeError } from '../../lang/errors.ts';

/** A filter with a record that it selects, and one that it does not. */
interface WitnessedFilter {
  readonly where: string;
  readonly selected: Witness;
  readonly rejected: Witness;
}

/** Pairs of filters, as indexes. */
interface Candidates {
  readonly pairs: readonly (readonly [number, number])[];
  /** Whether there are more. */
  readonly isLimited: boolean;
}

/**
 * Lists the pairs of filters, as indexes, of which one may select all records that the other selects. All other pairs
 * were ruled out by a record: one that a filter selects and the other does not, with no properties but those of the first
 * filter or, beside them, those of a record that the second filter does not select.
 */
export function findCandidates(filters: readonly WitnessedFilter[], timeZone: string, max: number): Candidates {
  let now = 0;
  const options = { timeZone, now: () => now };
  const set = new FilterSet<number>(options);
  const compiled = filters.map(({ where }) => compileWhere(where, options));
  for (const [index, { where }] of filters.entries()) set.add(index, where);
  const pairs = new Map<string, readonly [number, number]>();
  for (const [index, { selected }] of filters.entries()) {
    now = selected.now ?? 0;
    const { ids } = set.match(selected.properties, selected.user);
    for (const other of ids.sort((left, right) => left - right)) {
      if (other === index) continue;
      const { rejected } = filters[other] as WitnessedFilter;
      const merged = mergeWitnesses(compiled[index] as Compiled<boolean>, selected, rejected);
      now = merged.now ?? 0;
      if (!test(compiled[other] as Compiled<boolean>, merged)) continue;
      const pair = [Math.min(index, other), Math.max(index, other)] as const;
      const key = pair.join();
      if (pairs.size === max && !pairs.has(key)) return { pairs: [...pairs.values()], isLimited: true };
      pairs.set(key, pair);
    }
  }
  return { pairs: [...pairs.values()], isLimited: false };
}

/** Returns a record that a filter selects: it has what the filter reads from its witness, and the rest from another. */
function mergeWitnesses({ properties }: Compiled<boolean>, own: Witness, other: Witness): Witness {
  const merged = { properties: { ...other.properties }, user: { ...other.user } };
  for (const { scope, name } of properties) delete merged[scope][name];
  const now = own.now ?? other.now;
  return {
    properties: { ...merged.properties, ...own.properties },
    user: { ...merged.user, ...own.user },
    ...(now !== undefined && { now }),
  };
}

function test(where: Compiled<boolean>, { properties, user }: Witness): boolean {
  try {
    return where(properties, user);
  } catch (error) {
    if (error instanceof ExpressionTypeError) return false;
    throw error;
  }
}
