import type { Explanation } from '../../api/explain.ts';
import { escapeUnprintable, formatProperty, measureWidth, pluralize, truncate } from '../../base/strings.ts';
import type { Explained } from '../../lang/explain/explain-tree.ts';
import type { Traced } from '../../lang/explain/trace-tree.ts';
import type { Reason } from '../../lang/explain/why.ts';
import { showTypes } from '../../lang/types.ts';
import { showValue } from '../../lang/value.ts';
import { colourExpression, colourValue } from '../terminal/colour-expression.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { formatCell, GAP, MAX_CELL_WIDTH } from '../terminal/table.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

/** Renders the parts of an expression with their types, the properties it reads and its cost. */
export function renderExplanation(out: OutputStream, { tree, properties, cost }: Explanation): string[] {
  const read = properties.map(({ scope, name }) => formatProperty(scope, name)).join(', ');
  const counts = [
    pluralize(cost.reads, 'read'),
    pluralize(cost.operations, 'operation'),
    pluralize(cost.scans, 'scan'),
  ];
  const summary = [
    ...(read === '' ? [] : [`Reads ${escapeUnprintable(read)}.`]),
    `Costs at most ${counts.join(', ')}.`,
  ];
  return [
    ...renderOutline(out, tree, 'types', ({ types }) => showTypes(types), String),
    '',
    ...summary.flatMap((line) => wrapWords(line, out.room)),
  ];
}

/** Renders the parts of an expression with their values on a record, and the reasons. */
export function renderTrace(out: OutputStream, tree: Traced, reasons: readonly Reason[]): string[] {
  const parts = renderOutline(out, tree, 'value', describeValue, (value) => colourValue(out, value));
  const headline = tree.error ? 'Why it fails:' : `Why it is ${formatCell(showValue(tree.value))}:`;
  const lines = reasons.flatMap(({ message }) => wrapWords(escapeUnprintable(message), out.room, '  '));
  return [...parts, '', out.styled('bold', headline), ...lines];
}

/** A line of an outline: the lines of the tree, the code of a part, and its types or its value. */
interface OutlineRow {
  readonly margin: string;
  readonly code: string;
  readonly description: string;
}

/**
 * Renders a line for each part except literals, whose code is their value. On a narrow terminal, cuts the code first:
 * a value gets up to half of the line.
 */
function renderOutline(
  out: OutputStream,
  root: Traced,
  title: string,
  describe: (node: Traced) => string,
  colour: (description: string) => string,
): string[] {
  const rows = [{ margin: '', code: 'expression', description: title }, ...listRows(root, describe)];
  const widthOf = (measure: (row: OutlineRow) => string) =>
    rows.reduce((width, row) => Math.max(width, measureWidth(measure(row))), 0);
  const codes = Math.min(
    MAX_CELL_WIDTH,
    widthOf(({ margin, code }) => margin + code),
  );
  const descriptions = widthOf(({ description }) => description);
  const room = Math.max(2, out.room - GAP);
  const right = Math.min(MAX_CELL_WIDTH, descriptions, Math.max(Math.floor(room / 2), room - codes));
  const left = Math.min(codes, room - right);
  const [head = '', ...lines] = rows.map(({ margin, code, description }, index) => {
    const shown = truncate(margin + code, left);
    const space = ' '.repeat(left - measureWidth(shown) + GAP);
    const value = truncate(description, right);
    if (index === 0) return shown + space + value;
    const end = Math.min(margin.length, shown.length);
    return shown.slice(0, end) + colourExpression(out, shown.slice(end)) + space + colour(value);
  });
  return [out.styled('bold', head), ...lines];
}

function listRows(root: Traced, describe: (node: Traced) => string): OutlineRow[] {
  const rows: OutlineRow[] = [];
  const add = (node: Traced, first: string, margin: string): void => {
    const [code, description] = [getLabel(node), describe(node)].map(escapeUnprintable) as [string, string];
    rows.push({ margin: first, code, description });
    const below = node.children.filter(({ kind }) => kind !== 'literal');
    for (const [index, child] of below.entries()) {
      const isLast = index === below.length - 1;
      add(child, `${margin}${isLast ? '└─' : '├─'} `, `${margin}${isLast ? '  ' : '│ '} `);
    }
  };
  add(root, '', '');
  return rows;
}

/** Returns the operator of logical parts, whose operands are printed below, and the code of others. */
function getLabel({ kind, operator, code }: Explained): string {
  return (kind === 'logical' || operator === 'not') && operator !== undefined ? operator : code;
}

function describeValue(node: Traced): string {
  if (node.missing) return 'missing';
  return 'value' in node ? showValue(node.value) : 'type error';
}
