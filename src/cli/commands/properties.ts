import { TYPE_NAMES, type TypeName } from '../../language/types.ts';
import { readProperty, typeName } from '../../language/value.ts';
import { Output } from '../output.ts';
import { type ScanOptions, scan } from '../scan.ts';
import { showValue } from '../show-value.ts';
import { cut, grouped, tableLines } from '../table.ts';

export interface PropertiesOptions extends ScanOptions {
  readonly json?: boolean;
}

const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 24;

/** What was seen of a property. */
interface Seen {
  readonly types: Map<TypeName, number>;
  readonly examples: Set<string>;
  count: number;
}

/** Prints the properties that records have, with their types: as JSON, a schema that `check --schema` takes. */
export async function properties(files: readonly string[], options: PropertiesOptions): Promise<void> {
  const seen = new Map<string, Seen>();
  let records = 0;
  await scan(files, options, {
    record(record) {
      records++;
      for (const name of Object.keys(record.properties)) see(seen, name, readProperty(record.properties, name));
    },
  });
  const ranked = [...seen].sort(([, left], [, right]) => right.count - left.count);
  await Output.print(options.json ? [JSON.stringify(schemaOf(ranked), undefined, 2)] : table(ranked, records));
}

function see(seen: Map<string, Seen>, name: string, value: ReturnType<typeof readProperty>): void {
  let property = seen.get(name);
  if (property === undefined) {
    property = { types: new Map(), examples: new Set(), count: 0 };
    seen.set(name, property);
  }
  property.count++;
  const type = typeName(value);
  property.types.set(type, (property.types.get(type) ?? 0) + 1);
  if (property.examples.size < MOST_EXAMPLES && value !== undefined)
    property.examples.add(cut(showValue(value), LONGEST_EXAMPLE));
}

function schemaOf(ranked: readonly [string, Seen][]): object {
  const entries = ranked.map(([name, { types, count, examples }]) => {
    return [name, { types: TYPE_NAMES.filter((type) => types.has(type)), count, examples: [...examples] }] as const;
  });
  return { properties: Object.fromEntries(entries) };
}

function table(ranked: readonly [string, Seen][], records: number): string[] {
  const rows = ranked.map(([name, { types, count, examples }]) => {
    const share = `${Math.floor((100 * count) / records)} %`;
    const kinds = [...types].sort(([, left], [, right]) => right - left).map(([type]) => type);
    return [name, kinds.join(', '), grouped(count), share, [...examples].join(', ')];
  });
  const columns = [
    { title: 'property', align: 'left' },
    { title: 'types', align: 'left' },
    { title: 'records', align: 'right' },
    { title: '', align: 'right' },
    { title: 'examples', align: 'left' },
  ] as const;
  return rows.length === 0 ? ['No records.'] : tableLines(columns, rows);
}
