import { type IProduction, NonTerminal, RepetitionWithSeparator, Rule, Terminal } from 'chevrotain';
import { type Leaf, leafOf, RULES } from '../../../grammar/rules.ts';

/** The rule of a name. */
export function ruleOf(name: string): Rule {
  const rule = RULES.get(name);
  if (rule === undefined) throw new Error(`There is no rule ${name}`);
  return rule;
}

/** The rules that a node leads to, itself included if it is one. */
export function rulesIn(node: IProduction): Set<Rule> {
  return new Set(reach(node).filter((each) => each instanceof Rule));
}

/** The terminals that a node leads to, each once. */
export function leavesIn(node: IProduction): Leaf[] {
  const leaves = reach(node).flatMap((each) => {
    if (each instanceof RepetitionWithSeparator) return [each.separator as Leaf];
    return each instanceof Terminal ? [leafOf(each)] : [];
  });
  return [...new Set(leaves)];
}

/** The node and every one that it leads to, also through rules. */
function reach(start: IProduction): IProduction[] {
  const found = new Set([start]);
  // A set hands out what is added to it during the loop.
  for (const node of found) {
    for (const part of partsOf(node)) found.add(part);
  }
  return [...found];
}

function partsOf(node: IProduction): readonly IProduction[] {
  if (node instanceof NonTerminal) return [node.referencedRule];
  return node instanceof Terminal ? [] : (node as Rule).definition;
}
