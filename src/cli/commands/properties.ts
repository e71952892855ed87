import { formatInteger } from '../../base/strings.ts';
import { toPropertySchema } from '../../lang/check/property-stats.ts';
import { formatPercent } from '../answers/figures.ts';
import { countProperties } from '../count-properties.ts';
import type { Io } from '../io.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { renderTitledTable } from '../terminal/table.ts';
import type { Selection } from '../workers/job.ts';
import { describeInner, listTypes, type SeenProperty } from '../workers/seen-property.ts';

export interface PropertiesOptions extends Selection {
  readonly json?: boolean;
}

/** Prints the properties of records with their types; with `json`, as a schema for `check --schema`. */
export async function runProperties(io: Io, files: readonly string[], options: PropertiesOptions): Promise<void> {
  const { properties, period } = await countProperties(io, files, options);
  const ranked = [...properties].sort(([, left], [, right]) => right.count - left.count);
  await io.out.print(
    options.json ? [JSON.stringify(toSchema(ranked), undefined, 2)] : renderProperties(io.out, ranked, period.count),
  );
}

function toSchema(ranked: readonly [string, SeenProperty][]): object {
  const entries = ranked.map(([name, seen]) => {
    return [name, { ...toPropertySchema(seen), count: seen.count, examples: [...seen.examples] }] as const;
  });
  return { properties: Object.fromEntries(entries) };
}

function renderProperties(out: OutputStream, ranked: readonly [string, SeenProperty][], records: number): string[] {
  const rows = ranked.map(([name, seen]) => {
    const { count, examples } = seen;
    const values = describeInner(seen, [...examples].join(', '));
    return [name, listTypes(seen), formatInteger(count), formatPercent(count / records), values];
  });
  const columns = [
    { title: 'property', align: 'left' },
    { title: 'types', align: 'left' },
    { title: 'records', align: 'right' },
    { title: '', align: 'right' },
    { title: 'examples', align: 'left' },
  ] as const;
  return rows.length === 0 ? ['No records.'] : renderTitledTable(out, columns, rows);
}
