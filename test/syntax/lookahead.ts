import type { Ebnf, Grammar } from '../../grammar/ebnf.ts';
import { isLexical, ruleOf } from './ebnf.ts';

/** The tokens that can come next: words and symbols in quotes, strings and numbers by the names of their rules. */
type Next = ReadonlySet<string>;

/** The places where one token does not tell how to go on: the tokens that two ways can begin with. */
export function ambiguities(grammar: Grammar, start: string): string[] {
  const lookahead = new Lookahead(grammar);
  lookahead.follow(start, new Set());
  return lookahead.found;
}

class Lookahead {
  readonly found: string[] = [];
  /** What was seen to follow each rule. */
  private readonly following = new Map<string, Next>();

  constructor(private readonly grammar: Grammar) {}

  /** Looks through a rule, again for whatever more can follow it. */
  follow(name: string, after: Next): void {
    const known = this.following.get(name);
    const all = union([known ?? new Set(), after]);
    if (known?.size === all.size) return;
    this.following.set(name, all);
    this.look(ruleOf(this.grammar, name), all);
  }

  private look(node: Ebnf, after: Next): void {
    switch (node.kind) {
      case 'rule':
        if (!isLexical(node)) this.follow(node.name, after);
        return;
      case 'sequence':
        for (const [index, item] of node.items.entries()) {
          this.look(item, this.first(node.items.slice(index + 1), after));
        }
        return;
      case 'choice':
        this.tell(node.items.map((item) => this.first([item], after)));
        for (const item of node.items) this.look(item, after);
        return;
      case 'optional':
      case 'repetition': {
        const inner = this.first([node.item], after);
        this.tell([inner, after]);
        this.look(node.item, node.kind === 'repetition' ? union([inner, after]) : after);
      }
    }
  }

  private tell(ways: readonly Next[]): void {
    const tokens = ways.flatMap((way) => [...way]);
    this.found.push(...tokens.filter((token, index) => tokens.indexOf(token) < index));
  }

  /** What a row can begin with, or what is after it where it can be empty. */
  private first([node, ...rest]: readonly Ebnf[], after: Next): Next {
    if (node === undefined) return after;
    switch (node.kind) {
      case 'terminal':
        return new Set([`"${node.text}"`]);
      case 'rule':
        return isLexical(node) ? new Set([node.name]) : this.first([ruleOf(this.grammar, node.name), ...rest], after);
      case 'sequence':
        return this.first([...node.items, ...rest], after);
      case 'choice':
        return union(node.items.map((item) => this.first([item, ...rest], after)));
      case 'optional':
      case 'repetition':
        return union([this.first([node.item, ...rest], after), this.first(rest, after)]);
      default:
        throw new Error(`A ${node.kind} is not over tokens`);
    }
  }
}

function union(sets: readonly Next[]): Next {
  return new Set(sets.flatMap((set) => [...set]));
}
