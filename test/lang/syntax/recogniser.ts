import {
  Alternation,
  type IProduction,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionWithSeparator,
  Rule,
  Terminal,
} from 'chevrotain';
import { alternativesOf, hasRule, type Leaf, leafOf } from '../../../grammar/rules.ts';
import { ruleOf } from './reach.ts';

/** Returns whether a rule over characters derives a string. */
export function derivesText(rule: string, string: string): boolean {
  return new Recogniser([...string], isCharacter).derives(ruleOf(rule));
}

/** Returns whether the rules derive an expression with these tokens. */
export function derivesTokens(tokens: readonly string[]): boolean {
  return new Recogniser(tokens, isToken).derives(ruleOf('expression'));
}

function isCharacter({ spellings, PATTERN }: Leaf, character: string): boolean {
  return spellings.includes(character) || (PATTERN as RegExp | undefined)?.test(character) === true;
}

const derived = new Map<string, boolean>();

function isToken(leaf: Leaf, token: string): boolean {
  if (leaf.spellings.includes(token.toLowerCase())) return true;
  if (!hasRule(leaf)) return false;
  const key = `${leaf.LABEL} ${token}`;
  const isDerived = derived.get(key) ?? derivesText(leaf.LABEL, token);
  derived.set(key, isDerived);
  return isDerived;
}

/**
 * Follows all derivations at once, from a position to all positions where a node can end. It shares only the recorded
 * rules with the parser.
 */
class Recogniser {
  private readonly known = new Map<string, ReadonlySet<number>>();

  constructor(
    private readonly units: readonly string[],
    private readonly fits: (leaf: Leaf, unit: string) => boolean,
  ) {}

  derives(rule: Rule): boolean {
    return this.ends(rule, 0).has(this.units.length);
  }

  private ends(node: IProduction, from: number): ReadonlySet<number> {
    if (node instanceof Terminal) return this.leafEnds(leafOf(node), from);
    if (node instanceof NonTerminal) return this.ruleEnds(node.referencedRule, from);
    if (node instanceof Alternation) {
      return new Set(alternativesOf(node).flatMap((row) => [...this.rowEnds(row, from)]));
    }
    const { definition } = node as Rule;
    const once = () => this.rowEnds(definition, from);
    if (node instanceof Rule) return once();
    if (node instanceof Option) return new Set([from, ...once()]);
    const again = (end: number) => this.rowEnds(definition, end);
    if (node instanceof Repetition) return closure([from], again);
    if (node instanceof RepetitionMandatory) return closure(once(), again);
    if (node instanceof RepetitionWithSeparator) {
      const next = (end: number) => this.after(this.leafEnds(node.separator as Leaf, end), again);
      return new Set([from, ...closure(once(), next)]);
    }
    throw new Error(`Cannot follow a ${node.constructor.name}`);
  }

  private leafEnds(leaf: Leaf, from: number): ReadonlySet<number> {
    const unit = this.units[from];
    return new Set(unit !== undefined && this.fits(leaf, unit) ? [from + 1] : []);
  }

  private ruleEnds(rule: Rule, from: number): ReadonlySet<number> {
    const key = `${rule.name} ${from}`;
    const ends = this.known.get(key) ?? this.ends(rule, from);
    this.known.set(key, ends);
    return ends;
  }

  private rowEnds(row: readonly IProduction[], from: number): ReadonlySet<number> {
    return row.reduce<ReadonlySet<number>>(
      (starts, item) => this.after(starts, (start) => this.ends(item, start)),
      new Set([from]),
    );
  }

  private after(starts: ReadonlySet<number>, next: (start: number) => ReadonlySet<number>): ReadonlySet<number> {
    return new Set([...starts].flatMap((start) => [...next(start)]));
  }
}

/** Returns all positions that repeated steps lead to. */
function closure(starts: Iterable<number>, step: (start: number) => ReadonlySet<number>): ReadonlySet<number> {
  const ends = new Set(starts);
  // The loop also visits the positions that it adds to the set.
  for (const start of ends) for (const end of step(start)) ends.add(end);
  return ends;
}
