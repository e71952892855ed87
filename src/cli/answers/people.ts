import { formatInteger } from '../../base/strings.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { renderTitledTable, type TerminalColumn } from '../terminal/table.ts';

/** A page of `/engage/`. */
export interface PeopleAnswer {
  readonly page: number;
  readonly page_size: number;
  readonly results: readonly { readonly $distinct_id: string; readonly $properties: object }[];
  readonly session_id: string;
  readonly total: number;
}

/** Renders a line for each person of a page. */
export function renderPeople(
  out: OutputStream,
  { page, page_size, results, session_id, total }: PeopleAnswer,
): string[] {
  if (results.length === 0) return ['No people.'];
  const columns = ['$distinct_id', '$properties'].map((title): TerminalColumn => ({ title, align: 'left' }));
  const rows = results.map(({ $distinct_id, $properties }) => [$distinct_id, JSON.stringify($properties)]);
  const seen = page * page_size + results.length;
  const next = `next page: --session-id ${session_id} --page ${page + 1}, with --server`;
  const more = seen < total ? [`… ${formatInteger(seen)} of ${formatInteger(total)}; ${next}`] : [];
  return [...renderTitledTable(out, columns, rows), ...more];
}
