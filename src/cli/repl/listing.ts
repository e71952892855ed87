import { truncate } from '../../util/cut.ts';
import { measureWidth } from '../../util/display-width.ts';
import { escapeUnprintable } from '../../util/printable.ts';

const GAP = 2;
const MAX_ROWS = 8;

/** What can be chosen from, in as many columns as fit and no more rows than a person looks over. */
export function renderChoices(labels: readonly string[], columns: number): string[] {
  const shown = labels.map((label) => truncate(escapeUnprintable(label), columns));
  const width = shown.reduce((widest, label) => Math.max(widest, measureWidth(label)), 0) + GAP;
  const across = Math.max(1, Math.floor((columns + GAP) / width));
  const rows: string[] = [];
  for (let index = 0; index < shown.length && rows.length < MAX_ROWS; index += across) {
    const row = shown.slice(index, index + across);
    rows.push(
      row
        .map((label) => label + ' '.repeat(width - measureWidth(label)))
        .join('')
        .trimEnd(),
    );
  }
  const rest = shown.length - rows.length * across;
  return rest > 0 ? [...rows, `… and ${rest} more`] : rows;
}
