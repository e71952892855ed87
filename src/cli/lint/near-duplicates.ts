import { formatProperty } from '../../base/strings.ts';
import { listConditions } from '../../data/clause-counts.ts';
import type { Expression } from '../../lang/ast.ts';
import { walk } from '../../lang/ast.ts';
import { parse } from '../../lang/syntax/parse.ts';
import { printInline } from '../../lang/syntax/print.ts';

/** Filters with more conditions are not compared with others: each is compared without each of its conditions. */
const MAX_CONDITIONS = 50;

/** Filters, as indexes, that are the same but for one condition, which reads the same properties in each. */
interface NearDuplicates {
  readonly filters: readonly number[];
  /** The properties that the condition reads, as they are written. */
  readonly properties: readonly string[];
}

/**
 * Finds filters with at least two conditions that are the same but for one of them.
 *
 * @param normalForms The normal forms of different filters.
 */
export function findNearDuplicates(normalForms: readonly string[]): readonly NearDuplicates[] {
  const groups = new Map<string, { readonly filters: number[]; readonly properties: readonly string[] }>();
  for (const [filter, text] of normalForms.entries()) {
    const tree = parse(text, LONG);
    const conditions = listLeaves(tree);
    if (conditions.length < 2 || conditions.length > MAX_CONDITIONS) continue;
    for (const condition of conditions) {
      const properties = listProperties(condition);
      const key = toKey(tree, condition, properties.join());
      const group = groups.get(key) ?? { filters: [], properties };
      groups.set(key, group);
      if (properties.length > 0 && group.filters.at(-1) !== filter) group.filters.push(filter);
    }
  }
  return [...groups.values()].filter(({ filters }) => filters.length > 1);
}

/** A normal form can be longer and deeper than the filter. */
const LONG = { limits: { length: 5_000_000, depth: 400 } };

function listLeaves(node: Expression): readonly Expression[] {
  const operands = listConditions(node);
  return operands.length === 0 ? [node] : operands.flatMap(listLeaves);
}

/** Returns the text of a tree with a condition left open. Operands are sorted, as the condition may have moved them. */
function toKey(node: Expression, open: Expression, name: string): string {
  if (node === open) return `? ${name}`;
  const operands = listConditions(node);
  if (operands.length === 0) return printInline(node);
  const keys = operands.map((operand) => toKey(operand, open, name)).sort();
  return `${node.kind === 'logical' ? node.operator : 'not'}(${keys.join(';')})`;
}

function listProperties(condition: Expression): readonly string[] {
  const names = [...walk(condition)].flatMap((node) =>
    node.kind === 'property' ? [formatProperty(node.scope, node.name)] : [],
  );
  return [...new Set(names)].sort();
}
