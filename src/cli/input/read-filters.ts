import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { FilterSet } from '../../api/filter-set.ts';
import { getOwnValue, isJsonObject } from '../../base/json.ts';
import { formatInteger } from '../../base/strings.ts';
import { tryParseJson } from '../../data/try-parse-json.ts';
import { ExpressionError } from '../../lang/errors.ts';
import type { StoredFilter } from '../workers/job.ts';
import { explainSystemError, InputError } from './input-error.ts';

/** More would take gigabytes in each thread. */
const MAX_FILTERS = 1_000_000;

/** Filters, and a set of them by index. */
export interface ReadFilters {
  readonly filters: readonly StoredFilter[];
  readonly set: FilterSet<number>;
}

/**
 * Reads filters from a file with one per line: an expression, which is its own id, or
 * `{"id": "pro", "where": "properties[\\"plan\\"] == \\"pro\\""}`. Lines that begin with `#` are comments.
 *
 * @throws {InputError} at the first line that is not a filter, and if the file cannot be read or has too many.
 */
export async function readFilters(file: string): Promise<ReadFilters> {
  const filters: StoredFilter[] = [];
  const ids = new Set<string>();
  const set = new FilterSet<number>();
  let line = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      line++;
      if (/^\s*(?:#|$)/.test(text)) continue;
      const filter = readFilter(text.trim());
      if (ids.has(filter.id)) throw new InputError(`an earlier filter has the id ${JSON.stringify(filter.id)} too`);
      if (filters.length === MAX_FILTERS)
        throw new InputError(`there are more than ${formatInteger(MAX_FILTERS)} filters: split the file`);
      set.add(filters.length, filter.where);
      ids.add(filter.id);
      filters.push(filter);
    }
  } catch (error) {
    if (error instanceof InputError || error instanceof ExpressionError)
      throw new InputError(`${file}:${line}: ${error.message}`);
    throw explainSystemError(error, file);
  }
  if (filters.length === 0)
    throw new InputError(`${file} has no filters: write one per line, as an expression or as ${SHAPE}.`);
  return { filters, set };
}

const SHAPE = '{"id": "pro", "where": "properties[\\"plan\\"] == \\"pro\\""}';

function readFilter(text: string): StoredFilter {
  if (!text.startsWith('{')) return { id: text, where: text };
  const json = tryParseJson(text);
  const [id, where] = isJsonObject(json) ? [getOwnValue(json, 'id'), getOwnValue(json, 'where')] : [];
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof where !== 'string')
    throw new InputError(`expected a filter such as ${SHAPE}`);
  return { id: String(id), where };
}
