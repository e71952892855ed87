import {
  Alternation,
  type IProduction,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionWithSeparator,
  type Rule,
  Terminal,
} from 'chevrotain';
import fc from 'fast-check';
import { alternativesOf, hasRule, type Leaf, leafOf } from '../../../grammar/rules.ts';
import { codePoint } from '../../code-point.ts';
import { leavesIn, ruleOf, rulesIn } from './reach.ts';

/** A token and the white space before it. */
export interface Token {
  readonly gap: string;
  readonly text: string;
}

/** Draws strings that a rule over characters derives. */
export function texts(rule: string): fc.Arbitrary<string> {
  return derivations(ruleOf(rule), character).map((parts) => parts.join(''));
}

/** Draws expressions as tokens, with words in any letter case. */
export function sentences(): fc.Arbitrary<readonly Token[]> {
  const gap = fc.array(texts('white-space'), { maxLength: 2 }).map((parts) => parts.join(''));
  return derivations(ruleOf('expression'), (leaf) => fc.record({ gap, text: token(leaf) }));
}

/** Draws a token of the grammar. */
export function anyToken(): fc.Arbitrary<string> {
  return fc.oneof(...leavesIn(ruleOf('expression')).map(token));
}

/** Joins tokens, with spaces between tokens that would otherwise run together. */
export function write(tokens: readonly Token[]): string {
  return tokens.reduce((text, token) => {
    const runsOn = /[\w.]$/.test(text) && /^[\w.]/.test(token.text);
    return text + (token.gap || (runsOn ? ' ' : '')) + token.text;
  }, '');
}

/** Any character; half of them are ASCII. */
export const anyCharacter: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
  fc.string({ unit: codePoint, minLength: 1, maxLength: 1 }),
);

function token(leaf: Leaf): fc.Arbitrary<string> {
  if (leaf.spellings.length > 0) return fc.mixedCase(fc.constantFrom(...leaf.spellings));
  if (!hasRule(leaf)) throw new Error(`${leaf.name} has neither spellings nor a rule`);
  return texts(leaf.LABEL);
}

function character({ spellings, PATTERN }: Leaf): fc.Arbitrary<string> {
  return spellings.length > 0
    ? fc.constantFrom(...spellings)
    : anyCharacter.filter((each) => (PATTERN as RegExp).test(each));
}

/** Draws derivations of a rule, as their leaves. */
function derivations<Unit>(start: Rule, leaf: (leaf: Leaf) => fc.Arbitrary<Unit>): fc.Arbitrary<Unit[]> {
  const depthIdentifier = fc.createDepthIdentifier();
  const rules = fc.letrec<Record<string, Unit[]>>((tie) => {
    const unit = (each: Leaf) => leaf(each).map((only) => [only]);
    const row = (nodes: readonly IProduction[]) => fc.tuple(...nodes.map(derive)).map((parts) => parts.flat());
    const derive = (node: IProduction): fc.Arbitrary<Unit[]> => {
      if (node instanceof Terminal) return unit(leafOf(node));
      if (node instanceof NonTerminal) return tie(node.nonTerminalName);
      if (node instanceof Alternation) {
        // Alternatives that can recurse are not taken beyond some depth, so that derivations end.
        const depth = rulesIn(node).has(start) ? { depthIdentifier, maxDepth: 3 } : {};
        return fc.oneof(depth, ...alternativesOf(node).map(row));
      }
      const once = row((node as Rule).definition);
      if (node instanceof Option) return fc.oneof(fc.constant<Unit[]>([]), once);
      const minLength = node instanceof RepetitionMandatory ? 1 : 0;
      const repeated = fc.array(once, { minLength, maxLength: 3 });
      if (node instanceof Repetition || node instanceof RepetitionMandatory)
        return repeated.map((parts) => parts.flat());
      if (node instanceof RepetitionWithSeparator) {
        const separated = fc.tuple(repeated, unit(node.separator as Leaf));
        return separated.map(([parts, separator]) =>
          parts.flatMap((part, at) => [...(at > 0 ? separator : []), ...part]),
        );
      }
      throw new Error(`Cannot derive from a ${node.constructor.name}`);
    };
    return Object.fromEntries([...rulesIn(start)].map(({ name, definition }) => [name, row(definition)]));
  });
  return rules[start.name] as fc.Arbitrary<Unit[]>;
}
