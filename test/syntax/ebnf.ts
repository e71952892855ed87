import type { Ebnf, Grammar } from '../../grammar/ebnf.ts';

type Rule = Ebnf & { kind: 'rule' };

/** What a special sequence like `U+000A line feed` names. */
export function namedCharacter(special: string): string | undefined {
  const code = /^U\+([0-9A-F]{4,6}) /.exec(special)?.[1];
  return code === undefined ? undefined : String.fromCodePoint(Number.parseInt(code, 16));
}

/** Whether the node is a single token for the rules of expressions, though it has a rule over characters. */
export function isLexical(node: Ebnf): node is Rule {
  return node.kind === 'rule' && (node.name === 'string' || node.name === 'number');
}

/** A reference to a rule. */
export function rule(name: string): Rule {
  return { kind: 'rule', name };
}

/** The node and every one that it reaches, also through rules, without what is below leaves. */
export function* reach(grammar: Grammar, start: Ebnf, isLeaf: (node: Ebnf) => boolean): Generator<Ebnf> {
  const pending = [start];
  const seen = new Set<string>();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    if (isLeaf(node)) continue;
    if (node.kind !== 'rule') {
      pending.push(...partsOf(node));
    } else if (!seen.has(node.name)) {
      seen.add(node.name);
      pending.push(ruleOf(grammar, node.name));
    }
  }
}

/** The right side of a rule. */
export function ruleOf(grammar: Grammar, name: string): Ebnf {
  const right = grammar.get(name);
  if (right === undefined) throw new Error(`There is no rule ${name}`);
  return right;
}

function partsOf(node: Ebnf): readonly Ebnf[] {
  switch (node.kind) {
    case 'sequence':
    case 'choice':
      return node.items;
    case 'optional':
    case 'repetition':
      return [node.item];
    case 'exception':
      return [node.item, node.except];
    default:
      return [];
  }
}
