import { type IProduction, NonTerminal, RepetitionWithSeparator, Rule, Terminal } from 'chevrotain';
import { type Leaf, leafOf, RULES } from '../../../grammar/rules.ts';

/** Returns the rule with a name. */
export function ruleOf(name: string): Rule {
  const rule = RULES.get(name);
  if (rule === undefined) throw new Error(`Unknown rule ${name}`);
  return rule;
}

/** Returns the rules that are reachable from a node, including the node itself. */
export function rulesIn(node: IProduction): Set<Rule> {
  return new Set(reach(node).filter((each) => each instanceof Rule));
}

/** Returns the terminals that are reachable from a node, without duplicates. */
export function leavesIn(node: IProduction): Leaf[] {
  const leaves = reach(node).flatMap((each) => {
    if (each instanceof RepetitionWithSeparator) return [each.separator as Leaf];
    return each instanceof Terminal ? [leafOf(each)] : [];
  });
  return [...new Set(leaves)];
}

/** Returns all nodes that are reachable from a node, directly or through rules. */
function reach(start: IProduction): IProduction[] {
  const found = new Set([start]);
  // The loop also visits the nodes that it adds to the set.
  for (const node of found) {
    for (const part of partsOf(node)) found.add(part);
  }
  return [...found];
}

function partsOf(node: IProduction): readonly IProduction[] {
  if (node instanceof NonTerminal) return [node.referencedRule];
  return node instanceof Terminal ? [] : (node as Rule).definition;
}
