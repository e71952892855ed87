import { isJsonObject } from '../../base/json.ts';
import { DECIMALS } from '../../data/csv-table.ts';
import { ENCODINGS } from '../../data/encoding.ts';
import { type FieldMapping, NO_COLUMN, ROLES } from '../../data/field-mapping.ts';
import type { ReadingChoices } from '../events/messages.ts';
import { readMeta } from '../shared/read-meta.ts';

/** Everything about a file is guessed. */
export const NO_CHOICES: ReadingChoices = { fields: {}, flatten: false };

/** The file that `onwhere play` serves. */
export interface ServedFile {
  readonly name: string;
  readonly choices: ReadingChoices;
}

/** Reads what `onwhere play` writes into the page. Returns undefined if it serves no file. */
export function readServedFile(): ServedFile | undefined {
  const name = readMeta('onwhere-file');
  return name === '' ? undefined : { name, choices: parseChoices(readMeta('onwhere-reading')) };
}

/** Parses the choices of the options of `onwhere play`, as JSON with the names of the options. */
function parseChoices(json: string): ReadingChoices {
  const options: unknown = json === '' ? {} : JSON.parse(json);
  if (!isJsonObject(options)) return NO_CHOICES;
  const { delimiter, encoding, records, columns, header, decimal, flatten, timeZone } = options;
  const fields = ROLES.flatMap((role) => {
    const column = options[role];
    if (typeof column !== 'string') return [];
    return [[role, { column: column === NO_COLUMN ? undefined : column, isSet: true }]];
  });
  return {
    fields: Object.fromEntries(fields) as FieldMapping,
    flatten: flatten === true,
    delimiter: typeof delimiter === 'string' ? delimiter : undefined,
    encoding: ENCODINGS.find((known) => known === encoding),
    records: typeof records === 'string' ? records : undefined,
    columns: Array.isArray(columns) ? columns.map(String) : undefined,
    header: header !== false,
    decimal: DECIMALS.find((known) => known === decimal),
    timeZone: typeof timeZone === 'string' ? timeZone : undefined,
  };
}
