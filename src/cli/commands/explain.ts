import type { Use } from '../../check/check.ts';
import type { Explained } from '../../explain/explain-tree.ts';
import type { Traced } from '../../explain/trace-tree.ts';
import { type Reason, why } from '../../explain/why.ts';
import { type Explanation, explain as explainExpression, trace } from '../../explain-api.ts';
import { showValue } from '../../language/show-value.ts';
import { TYPE_NAMES } from '../../language/types.ts';
import { printable } from '../../util/printable.ts';
import { propertyText } from '../../util/quote-text.ts';
import { EXIT } from '../exit.ts';
import { loadSchema } from '../load-schema.ts';
import { Output } from '../output.ts';
import { type RecordOptions, readRecord } from '../read-record.ts';
import { readSource } from '../read-source.ts';
import { warn } from '../say.ts';
import { cell, tableLines } from '../table.ts';
import { styled } from '../terminal.ts';

export interface ExplainOptions extends RecordOptions {
  readonly use: Use;
  readonly schema?: string;
  /** Unix seconds. */
  readonly now: number;
  readonly json?: boolean;
}

/** Prints the parts of an expression with their types or, of a record, with their values and why; answers the exit code. */
export async function explain(expression: string, options: ExplainOptions): Promise<number> {
  const { use, schema, now, json, ...record } = options;
  const source = await readSource(expression);
  const known = { use, ...(schema !== undefined && { schema: await loadSchema(schema) }) };
  const explanation = explainExpression(source, known);
  const { properties, user } = readRecord(record);
  if (!json) warn({ source, diagnostics: explanation.diagnostics });
  let fails = explanation.diagnostics.some(({ severity }) => severity === 'error');
  if (properties === undefined && user === undefined) {
    await Output.print(json ? [JSON.stringify(explanation)] : describe(explanation));
  } else {
    const tree = trace(source, properties ?? {}, user, { ...known, now });
    fails ||= tree.error !== undefined;
    const reasons = why(tree);
    await Output.print(json ? [JSON.stringify({ ...explanation, tree, why: reasons })] : describeTrace(tree, reasons));
  }
  return fails ? EXIT.expression : EXIT.ok;
}

function describe({ tree, properties, cost }: Explanation): string[] {
  const read = properties.map(({ scope, name }) => propertyText(scope, name)).join(', ');
  const counts = [counted(cost.reads, 'read'), counted(cost.operations, 'operation'), counted(cost.scans, 'scan')];
  const summary = [...(read === '' ? [] : [`Reads ${printable(read)}.`]), `Takes at most ${counts.join(', ')}.`];
  return [...outline(tree, 'types', typesOf), '', ...summary];
}

function describeTrace(tree: Traced, reasons: readonly Reason[]): string[] {
  const headline = tree.error ? 'Why it fails:' : `Why it is ${cell(showValue(tree.value))}:`;
  const lines = reasons.map(({ message }) => `  ${printable(message)}`);
  return [...outline(tree, 'value', valueIn), '', styled(process.stdout, 'bold', headline), ...lines];
}

/** A line for each part but for literals, which say it all themselves. */
function outline(root: Traced, title: string, say: (node: Traced) => string): string[] {
  const rows: string[][] = [];
  const add = (node: Traced, first: string, margin: string): void => {
    rows.push([first + labelOf(node), say(node)]);
    const below = node.children.filter(({ kind }) => kind !== 'literal');
    for (const [index, child] of below.entries()) {
      const isLast = index === below.length - 1;
      add(child, `${margin}${isLast ? '└─' : '├─'} `, `${margin}${isLast ? '  ' : '│ '} `);
    }
  };
  add(root, '', '');
  const columns = ['expression', title].map((name) => ({ title: name, align: 'left' }) as const);
  return tableLines(columns, rows);
}

/** What stands above whole conditions is told by its word alone. */
function labelOf({ kind, operator, code }: Explained): string {
  return (kind === 'logical' || operator === 'not') && operator !== undefined ? operator : code;
}

function typesOf({ types }: Explained): string {
  return types.length === TYPE_NAMES.length ? 'any' : types.join(' or ');
}

function valueIn(node: Traced): string {
  if (node.missing) return 'missing';
  return 'value' in node ? showValue(node.value) : 'type error';
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
