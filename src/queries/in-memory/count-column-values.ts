import { countSegments } from '../../lang/engines/columnar/count-segments.ts';
import { listSegments } from '../../lang/operators/coercions.ts';
import type { BatchColumn } from '../../lang/plan/batch-column.ts';
import { compareStrings, type Value } from '../../lang/value.ts';
import type { ValueCount } from '../requests.ts';

/** Returns the most frequent values of a column; elements of lists are values of their own. */
export function countColumnValues(column: BatchColumn, rows: number, limit: number): ValueCount[] {
  const { answers, codes } = countSegments(column, rows);
  const counts = new Uint32Array(answers.length);
  for (const code of codes) (counts[code] as number)++;
  const found = new Map<string, { readonly name: string; readonly type: ValueCount['type']; count: number }>();
  for (const [code, value] of answers.entries()) {
    if (value === undefined) continue;
    const [type, count] = [getType(value), counts[code] as number];
    for (const segment of listSegments(value)) {
      const key = `${type} ${segment}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { name: segment, type, count });
      else known.count += count;
    }
  }
  return [...found.values()]
    .sort((left, right) => {
      return right.count - left.count || compareStrings(left.name, right.name) || compareStrings(left.type, right.type);
    })
    .slice(0, limit);
}

function getType(value: Value): ValueCount['type'] {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : (typeof value as ValueCount['type']);
}
