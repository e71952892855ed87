import type { Random } from '../src/data/random.ts';
import { type Expression, getChildren, type NodeOf } from '../src/lang/ast.ts';
import { LOGICAL } from '../src/lang/operators/table.ts';
import { isOrder, MIRRORED } from '../src/lang/plan/range.ts';
import { parse } from '../src/lang/syntax/parse.ts';
import { literal, logical, membership, prefix } from './arbitraries.ts';
import { respell } from './respell.ts';

/** Writes an expression in another way: with the same value, or a type error too, on every record. */
export function rewrite(source: string, random: Random): string {
  return respell(rewriteTree(parse(source), random), random.integer(0, 1e9));
}

function rewriteTree(node: Expression, random: Random): Expression {
  const children = getChildren(node).map((child) => rewriteTree(child, random));
  const [first = node, second = node] = children;
  switch (node.kind) {
    case 'literal':
    case 'now':
      return node;
    case 'property':
      return node.scope !== 'user' && random.chance(0.5) ? { ...node, scope: 'event' } : node;
    case 'call':
    case 'prefix':
      return { ...node, operand: first };
    case 'membership':
      return { ...node, operand: first, items: shuffle([...node.items, ...node.items.slice(0, 1)], random) };
    case 'logical':
      return rewriteChain(node, children, random);
    case 'binary':
    case 'timeComparison':
      return rewriteComparison({ ...node, left: first, right: second }, random);
  }
}

/** Changes the order of the operands, repeats one, and adds one that makes no difference. */
function rewriteChain(node: NodeOf<'logical'>, operands: readonly Expression[], random: Random): Expression {
  const repeated = random.chance(0.3) ? operands.slice(0, 1) : [];
  const neutral = random.chance(0.3) ? [literal(!LOGICAL[node.operator].decidedBy)] : [];
  return logical(node.operator, shuffle([...operands, ...repeated, ...neutral], random));
}

function rewriteComparison(node: NodeOf<'binary' | 'timeComparison'>, random: Random): Expression {
  const { operator, left, right } = node;
  if (operator === '==' && node.kind === 'binary' && right.kind === 'literal' && random.chance(0.3))
    return membership(left, [right]);
  if (operator === '!=' && random.chance(0.5)) return prefix('not', { ...node, operator: '==' });
  if (!random.chance(0.5)) return node;
  if (operator === '==' || operator === '!=' || operator === '*') return { ...node, left: right, right: left };
  return isOrder(operator) ? ({ ...node, operator: MIRRORED[operator], left: right, right: left } as Expression) : node;
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const sorted = items.map((item) => [random.fraction(), item] as const).sort(([one], [other]) => one - other);
  return sorted.map(([, item]) => item);
}
