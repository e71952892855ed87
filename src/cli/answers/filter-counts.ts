import { escapeUnprintable, measureWidth, pluralize, quoteString, truncate } from '../../base/strings.ts';
import type { ClauseCounts, FilterCounts } from '../../data/clause-counts.ts';
import { COUNTS_LEGEND, describeLeft, describePart } from '../../data/describe-clauses.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import type { Scanned } from '../scan.ts';
import { colourExpression } from '../terminal/colour-expression.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { GAP, MAX_CELL_WIDTH } from '../terminal/table.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import type { Selection } from '../workers/job.ts';

/** On a narrow terminal, code is not cut below this width. */
const MIN_CODE_WIDTH = 16;

/**
 * Prints to standard error how many records each part of a filter removes, if the options ask for it. If they do not,
 * nothing is left, and no warning has said why, prints how to ask.
 */
export async function printFilterCounts(
  io: Io,
  { records, lacksNames, counts }: Scanned,
  options: Selection,
  isEmpty: boolean,
): Promise<void> {
  if (counts !== undefined) {
    await io.err.print(renderFilterCounts(io.err, records, counts, options));
  } else if (isEmpty && !lacksNames && records > 0 && (options.where !== undefined || options.event !== undefined)) {
    const found = records === 1 ? 'The only record does not match' : `None of ${pluralize(records, 'record')} match`;
    printMessage(io, 'note', `${found}. Pass --explain to see why.`);
  }
}

/** Returns the key `explain` of an answer in JSON, if the options ask for it. */
export function toJsonCounts({ records, counts }: Scanned, { event, where }: Selection): object {
  if (counts === undefined) return {};
  return {
    explain: {
      records,
      ...(event !== undefined && { event: { name: event, matched: counts.records } }),
      ...(where !== undefined && { filter: counts.tree }),
    },
  };
}

/** A line: the lines of the tree, the code of a part, and its counts. */
interface Row {
  readonly margin: string;
  readonly code: string;
  readonly counts: string;
}

function renderFilterCounts(
  out: OutputStream,
  records: number,
  { records: ofEvent, tree }: FilterCounts,
  { event, where }: Selection,
): string[] {
  const rows: Row[] = [];
  if (event !== undefined) {
    const counts = describeLeft(ofEvent, records - ofEvent, []);
    rows.push({ margin: '', code: `event ${quoteString(event)}`, counts });
  }
  if (where !== undefined) addRows(rows, tree, true, '', '');
  const widthOf = (read: (row: Row) => string) =>
    rows.reduce((width, row) => Math.max(width, measureWidth(read(row))), 0);
  const codes = Math.min(
    MAX_CELL_WIDTH,
    widthOf(({ margin, code }) => margin + code),
  );
  const left = Math.min(codes, Math.max(MIN_CODE_WIDTH, out.room - GAP - widthOf(({ counts }) => counts)));
  return [
    out.styled('bold', pluralize(records, 'record')),
    ...rows.map(({ margin, code, counts }) => {
      const shown = truncate(margin + code, left);
      const space = ' '.repeat(left - measureWidth(shown) + GAP);
      const end = Math.min(margin.length, shown.length);
      const rest = truncate(counts, Math.max(1, out.room - left - GAP));
      return shown.slice(0, end) + colourExpression(out, shown.slice(end)) + space + rest;
    }),
    ...(where === undefined || tree.clauses.length === 0 ? [] : ['', ...wrapWords(COUNTS_LEGEND, out.room)]),
  ];
}

function addRows(rows: Row[], part: ClauseCounts, removes: boolean, first: string, margin: string): void {
  const { kind, code, clauses } = part;
  rows.push({
    margin: first,
    code: escapeUnprintable(kind === 'clause' ? code : kind),
    counts: escapeUnprintable(describePart(part, removes)),
  });
  for (const [index, clause] of clauses.entries()) {
    const isLast = index === clauses.length - 1;
    const branches = [`${margin}${isLast ? '└─' : '├─'} `, `${margin}${isLast ? '  ' : '│ '} `] as const;
    addRows(rows, clause, removes && kind === 'and', ...branches);
  }
}
