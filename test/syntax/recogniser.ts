import type { Ebnf, Grammar } from '../../grammar/ebnf.ts';
import { isLexical, namedCharacter, rule, ruleOf } from './ebnf.ts';

/** Whether the text, character by character, is what a node over characters derives. */
export function derivesText(grammar: Grammar, node: Ebnf, text: string): boolean {
  return new Recogniser(grammar, [...text], isCharacter).derives(node);
}

/** Whether the tokens are an expression, as far as EBNF can say. */
export function derivesTokens(grammar: Grammar, tokens: readonly string[]): boolean {
  const isToken: Leaf = (node, token) => {
    if (node.kind === 'terminal') return token.toLowerCase() === node.text;
    return isLexical(node) ? derivesText(grammar, node, token) : undefined;
  };
  return new Recogniser(grammar, tokens, isToken).derives(rule('expression'));
}

function isCharacter(node: Ebnf, character: string): boolean | undefined {
  if (node.kind === 'terminal') return character === node.text;
  if (node.kind !== 'special') return undefined;
  return node.text === 'any character' ? /^\P{Surrogate}$/u.test(character) : character === namedCharacter(node.text);
}

/** Whether a node stands for the unit; undefined where the node is no leaf. */
type Leaf = (node: Ebnf, unit: string) => boolean | undefined;

/** Follows all derivations at once: from a place to all where a node can end. It shares nothing with the parser. */
class Recogniser {
  private readonly known = new Map<string, ReadonlySet<number>>();

  constructor(
    private readonly grammar: Grammar,
    private readonly units: readonly string[],
    private readonly leaf: Leaf,
  ) {}

  derives(node: Ebnf): boolean {
    return this.ends(node, 0).has(this.units.length);
  }

  private ends(node: Ebnf, from: number): ReadonlySet<number> {
    const fits = this.leaf(node, this.units[from] ?? '');
    if (fits !== undefined) return new Set(fits ? [from + 1] : []);
    switch (node.kind) {
      case 'rule':
        return this.ruleEnds(node.name, from);
      case 'sequence':
        return node.items.reduce((starts, item) => this.after(starts, item), new Set([from]));
      case 'choice':
        return new Set(node.items.flatMap((item) => [...this.ends(item, from)]));
      case 'optional':
        return new Set([from, ...this.ends(node.item, from)]);
      case 'repetition':
        return this.repeated(node.item, from);
      case 'exception': {
        const excepted = this.ends(node.except, from);
        return new Set([...this.ends(node.item, from)].filter((end) => !excepted.has(end)));
      }
      default:
        throw new Error(`A ${node.kind} must be a leaf`);
    }
  }

  private ruleEnds(name: string, from: number): ReadonlySet<number> {
    const key = `${name} ${from}`;
    const ends = this.known.get(key) ?? this.ends(ruleOf(this.grammar, name), from);
    this.known.set(key, ends);
    return ends;
  }

  private after(starts: ReadonlySet<number>, item: Ebnf): Set<number> {
    return new Set([...starts].flatMap((start) => [...this.ends(item, start)]));
  }

  private repeated(item: Ebnf, from: number): ReadonlySet<number> {
    const ends = new Set([from]);
    // A set hands out what is added to it while it is walked over.
    for (const start of ends) for (const end of this.ends(item, start)) ends.add(end);
    return ends;
  }
}
