import type { Case } from '../cases/case.ts';
import { findCase } from '../cases/cases.ts';

export type ColumnType = 'DOUBLE' | 'VARCHAR' | 'BOOLEAN';

interface Common {
  readonly name: string;
  /** The name of a real data set; by default, the synthetic events. */
  readonly dataset?: string;
  /** The properties that the case reads, with their types in a database. */
  readonly columns: Readonly<Record<string, ColumnType>>;
}

/**
 * A command over an NDJSON file of events: counts or prints the events that a filter selects, or counts by a property.
 */
export type FileCase = Common &
  (
    | { readonly command: 'count' | 'filter'; readonly filterCase: Case }
    | { readonly command: 'segment'; readonly property: string }
  );

const P4_COLUMNS = {
  country: 'VARCHAR',
  plan: 'VARCHAR',
  amount: 'DOUBLE',
  age: 'VARCHAR',
  $browser: 'VARCHAR',
  referrer: 'VARCHAR',
  is_paid: 'BOOLEAN',
} as const;

const [refunds, packages] = ['retail: refunds without a credit note', 'logs: packages of one host'];

/** The timed commands over files. */
export const FILE_CASES: readonly FileCase[] = [
  {
    name: 'count P2',
    command: 'count',
    filterCase: findCase('P2'),
    columns: { amount: 'DOUBLE', plan: 'VARCHAR' },
  },
  { name: 'filter P4', command: 'filter', filterCase: findCase('P4'), columns: P4_COLUMNS },
  { name: 'segment by country', command: 'segment', property: 'country', columns: { country: 'VARCHAR' } },
  {
    name: `count ${refunds}`,
    command: 'count',
    dataset: 'online-retail',
    filterCase: findCase(refunds),
    columns: { Quantity: 'DOUBLE', InvoiceNo: 'VARCHAR' },
  },
  {
    name: `count ${packages}`,
    command: 'count',
    dataset: 'osd-logs',
    filterCase: findCase(packages),
    columns: { host: 'VARCHAR', extension: 'VARCHAR' },
  },
];
