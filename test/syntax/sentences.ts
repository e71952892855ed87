import fc from 'fast-check';
import type { Ebnf, Grammar } from '../../grammar/ebnf.ts';
import { isLexical, namedCharacter, reach, rule, ruleOf } from './ebnf.ts';
import { derivesText } from './recogniser.ts';

/** A token and the white space before it. */
export interface Token {
  readonly gap: string;
  readonly text: string;
}

/** Texts that a rule over characters derives. */
export function texts(grammar: Grammar, rule: string): fc.Arbitrary<string> {
  return derivations(grammar, rule, characters).map((parts) => parts.join(''));
}

/** Expressions as tokens, their words in any letter case. */
export function sentences(grammar: Grammar): fc.Arbitrary<readonly Token[]> {
  const gap = fc.array(texts(grammar, 'white-space'), { maxLength: 2 }).map((parts) => parts.join(''));
  return derivations(grammar, 'expression', (node) => {
    const text = tokens(grammar, node);
    return text && fc.record({ gap, text });
  });
}

/** Any token, also where none such belongs. */
export function anyToken(grammar: Grammar): fc.Arbitrary<string> {
  const leaves = [...reach(grammar, rule('expression'), isLexical)].flatMap((node) => tokens(grammar, node) ?? []);
  return fc.oneof(...leaves);
}

/** The tokens as a text, with a space where two would run together. */
export function write(tokens: readonly Token[]): string {
  return tokens.reduce((text, token) => {
    const runsOn = /[\w.]$/.test(text) && /^[\w.]/.test(token.text);
    return text + (token.gap || (runsOn ? ' ' : '')) + token.text;
  }, '');
}

function tokens(grammar: Grammar, node: Ebnf): fc.Arbitrary<string> | undefined {
  if (node.kind === 'terminal') return fc.mixedCase(fc.constant(node.text));
  return isLexical(node) ? texts(grammar, node.name) : undefined;
}

function characters(node: Ebnf): fc.Arbitrary<string> | undefined {
  if (node.kind === 'terminal') return fc.constant(node.text);
  if (node.kind !== 'special') return undefined;
  const named = namedCharacter(node.text);
  return named === undefined ? anyCharacter : fc.constant(named);
}

/** One character, half of the time from ASCII. */
export const anyCharacter: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);

/** What a rule derives, as the leaves that it is made of. */
function derivations<Unit>(
  grammar: Grammar,
  start: string,
  leaf: (node: Ebnf) => fc.Arbitrary<Unit> | undefined,
): fc.Arbitrary<Unit[]> {
  const isLeaf = (node: Ebnf) => leaf(node) !== undefined;
  const reached = (node: Ebnf) =>
    [...reach(grammar, node, isLeaf)].flatMap((each) => (each.kind === 'rule' && !isLeaf(each) ? [each.name] : []));
  const depthIdentifier = fc.createDepthIdentifier();
  const rules = fc.letrec<Record<string, Unit[]>>((tie) => {
    const derive = (node: Ebnf): fc.Arbitrary<Unit[]> => {
      const unit = leaf(node);
      if (unit !== undefined) return unit.map((only) => [only]);
      switch (node.kind) {
        case 'rule':
          return tie(node.name);
        case 'sequence':
          return fc.tuple(...node.items.map(derive)).map((parts) => parts.flat());
        case 'choice':
          // From some depth on, only the first choice is taken where the others might lead on for ever.
          return fc.oneof(
            reached(node).includes(start) ? { depthIdentifier, maxDepth: 3 } : {},
            ...node.items.map(derive),
          );
        case 'optional':
          return fc.oneof(fc.constant<Unit[]>([]), derive(node.item));
        case 'repetition':
          return fc.array(derive(node.item), { maxLength: 3 }).map((parts) => parts.flat());
        case 'exception':
          return derive(node.item).filter((units) => !derivesText(grammar, node.except, units.join('')));
        default:
          throw new Error(`A ${node.kind} must be a leaf`);
      }
    };
    return Object.fromEntries(reached(rule(start)).map((name) => [name, derive(ruleOf(grammar, name))]));
  });
  return rules[start] as fc.Arbitrary<Unit[]>;
}
