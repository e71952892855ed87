import { formatInteger, pluralize } from '../../base/strings.ts';
import { type ReadFilters, readFilters } from '../input/read-filters.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { scan } from '../scan.ts';
import { formatCell, numberColumns, renderTitledTable } from '../terminal/table.ts';
import type { FilterFailures, MatchPart, Selection } from '../workers/job.ts';

export interface MatchOptions extends Omit<Selection, 'explain'> {
  /** Print the filters of each record. */
  readonly list?: boolean;
  /** Print when each filter is evaluated. */
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** The maximum number of failing filters to warn about one by one. */
const MAX_WARNINGS = 10;

/** Prints how many records each of many filters matches, or which filters match each record. */
export async function runMatch(
  io: Io,
  file: string,
  files: readonly string[],
  { list = false, explain, json, ...options }: MatchOptions,
): Promise<void> {
  const read = await readFilters(file);
  if (explain) printAccesses(io, read);
  const totals = new MatchTotals();
  const job = { ...options, kind: 'match', filters: read.filters, lists: list } as const;
  let buffered = '';
  const flush = () => {
    const text = buffered;
    buffered = '';
    return io.out.writeAll(text);
  };
  await scan(io, files, job, {
    part(part) {
      totals.add(part);
      buffered += part.lines;
    },
    ...(list && { ready: flush }),
  }).finally(flush);
  totals.warn(io, read);
  if (!list) await io.out.print(json ? [JSON.stringify(totals.toJson(read))] : totals.render(io, read));
}

/** Adds up the matches of filters. Filters are indexes. */
class MatchTotals {
  private readonly counts = new Map<number, number>();
  private readonly failures = new Map<number, FilterFailures>();

  add({ counts, failures }: MatchPart): void {
    for (const [filter, count] of counts) this.counts.set(filter, this.countOf(filter) + count);
    for (const [filter, { count, message }] of failures) {
      const known = this.failures.get(filter) ?? { count: 0, message };
      this.failures.set(filter, { count: known.count + count, message: known.message });
    }
  }

  warn(io: Io, { filters }: ReadFilters): void {
    for (const [filter, { count, message }] of [...this.failures].slice(0, MAX_WARNINGS))
      printMessage(io, 'warning', `${filters[filter]?.id} failed on ${pluralize(count, 'record')}: ${message}`);
    const others = this.failures.size - MAX_WARNINGS;
    if (others > 0) printMessage(io, 'warning', `${pluralize(others, 'other filter')} failed too`);
  }

  toJson({ filters }: ReadFilters): object {
    return {
      filters: filters.map(({ id }, filter) => {
        return { id, count: this.countOf(filter), failures: this.failures.get(filter)?.count ?? 0 };
      }),
    };
  }

  render({ out }: Io, { filters }: ReadFilters): string[] {
    const rows = filters.map(({ id }, filter) => ({ id, count: this.countOf(filter) }));
    rows.sort((left, right) => right.count - left.count);
    return renderTitledTable(
      out,
      numberColumns('filter', 'records'),
      rows.map(({ id, count }) => [formatCell(id), formatInteger(count)]),
    );
  }

  private countOf(filter: number): number {
    return this.counts.get(filter) ?? 0;
  }
}

/** Prints when each filter is evaluated, on standard error. */
function printAccesses({ err }: Io, { filters, set }: ReadFilters): void {
  for (const [index, { id }] of filters.entries()) {
    const { access, keys, equal } = set.cost(index);
    const same = equal.length === 0 ? [] : [`same as ${equal.map((other) => filters[other]?.id).join(', ')}`];
    err.write(`${formatCell(id)}: ${[access, ...[...keys, ...same].map((part) => formatCell(part))].join('  ')}\n`);
  }
}
