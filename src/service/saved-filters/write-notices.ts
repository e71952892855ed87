import type { ImportMatches } from './count-matches.ts';

/** The import that a notice is about. */
export interface NoticeSource {
  readonly project: string;
  readonly datasetId: string;
  readonly versionId: string;
  /** When the events were imported, in ISO 8601. */
  readonly time: string;
}

/** In characters, and in users. A longer notice is split between saved filters. */
const MAX_LENGTH = 2 ** 19;
const MAX_USERS = 1_000;

/** Yields the JSON of the notices of an import: the saved filters that match some of its events. */
export function* writeNotices(
  { project, datasetId, versionId, time }: NoticeSource,
  matches: readonly ImportMatches[],
): Generator<string> {
  const write = (filters: readonly string[]) => {
    const source = { project, dataset_id: datasetId, dataset_version: versionId };
    const head = JSON.stringify({ type: 'segments.matched', timestamp: time, data: source }).slice(0, -2);
    return `${head},"segments":[${filters.join(',')}]}}`;
  };
  let [filters, length, users] = [[] as string[], 0, 0];
  for (const { name, events, people } of matches) {
    if (events === 0) continue;
    const ids = people.slice(0, MAX_USERS);
    const cut = ids.length < people.length && { distinct_ids_truncated: true };
    const filter = JSON.stringify({ name, events, people: people.length, distinct_ids: ids, ...cut });
    if (filters.length > 0 && (length + filter.length > MAX_LENGTH || users + ids.length > MAX_USERS)) {
      yield write(filters);
      [filters, length, users] = [[], 0, 0];
    }
    filters.push(filter);
    length += filter.length;
    users += ids.length;
  }
  if (filters.length > 0) yield write(filters);
}
