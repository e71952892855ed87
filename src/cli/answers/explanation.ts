import type { Explanation } from '../../api/explain.ts';
import type { Explained } from '../../lang/explain/explain-tree.ts';
import type { Traced } from '../../lang/explain/trace-tree.ts';
import type { Reason } from '../../lang/explain/why.ts';
import { showTypes } from '../../lang/types.ts';
import { escapeUnprintable, formatProperty, pluralize, truncate } from '../../lang/util/strings.ts';
import { showValue } from '../../lang/value.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { formatCell, renderTable } from '../terminal/table.ts';

/** Renders the parts of an expression with their types, the properties it reads and its cost. */
export function renderExplanation({ tree, properties, cost }: Explanation): string[] {
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
  return [...renderOutline(tree, 'types', ({ types }) => showTypes(types)), '', ...summary];
}

/** Renders the parts of an expression with their values on a record, cut to `columns`, and the reasons. */
export function renderTrace(
  out: OutputStream,
  tree: Traced,
  reasons: readonly Reason[],
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const headline = tree.error ? 'Why it fails:' : `Why it is ${formatCell(showValue(tree.value))}:`;
  const lines = reasons.map(({ message }) => `  ${escapeUnprintable(message)}`);
  const parts = renderOutline(tree, 'value', describeValue).map((line) => truncate(line, columns));
  return [...parts, '', out.styled('bold', headline), ...lines];
}

/** Renders a line for each part except literals, whose code is their value. */
function renderOutline(root: Traced, title: string, describe: (node: Traced) => string): string[] {
  const rows: string[][] = [];
  const add = (node: Traced, first: string, margin: string): void => {
    rows.push([first + getLabel(node), describe(node)]);
    const below = node.children.filter(({ kind }) => kind !== 'literal');
    for (const [index, child] of below.entries()) {
      const isLast = index === below.length - 1;
      add(child, `${margin}${isLast ? '└─' : '├─'} `, `${margin}${isLast ? '  ' : '│ '} `);
    }
  };
  add(root, '', '');
  const columns = ['expression', title].map((name) => ({ title: name, align: 'left' }) as const);
  return renderTable(columns, rows);
}

/** Returns the operator of logical parts, whose operands are printed below, and the code of others. */
function getLabel({ kind, operator, code }: Explained): string {
  return (kind === 'logical' || operator === 'not') && operator !== undefined ? operator : code;
}

function describeValue(node: Traced): string {
  if (node.missing) return 'missing';
  return 'value' in node ? showValue(node.value) : 'type error';
}
