import {
  Alternation,
  Alternative,
  type IProduction,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  Rule,
  Terminal,
} from 'chevrotain';
import { getGrammar } from '../src/lang/syntax/grammar.ts';
import { TOKEN_TYPES, type TokenType } from '../src/lang/syntax/vocabulary.ts';

/** A terminal of the rules: a type of token or, in the rules of strings and numbers, of character. */
export type Leaf = Pick<TokenType, 'name' | 'LABEL' | 'spellings' | 'PATTERN'>;

/** The rules over tokens, which are those of the parser. */
export const EXPRESSION_RULES: readonly Rule[] = Object.values(getGrammar().getGAstProductions());

/** A rule for each token type with several spellings, which are one token for the parser. */
export const WORD_RULES: readonly Rule[] = TOKEN_TYPES.filter(
  (type) => type.spellings.length > 1 && type.highlight !== 'invalid',
).map(({ LABEL, spellings }) => rule(LABEL, either(...spellings)));

const digit = rule('digit', either(...'0123456789'));
const digits = rule('digits', new RepetitionMandatory({ definition: [refer(digit)] }));
const exponent = rule('exponent', either('e', 'E'), optional(either('+', '-')), refer(digits));
const decimal = either(
  [refer(digits), optional(character('.'), optional(refer(digits)))],
  [character('.'), refer(digits)],
);

const hexadecimal = rule('hexadecimal-digit', either(refer(digit), ...'abcdefABCDEF'));
const codeUnit = rule('code-unit', ...Array.from({ length: 4 }, () => refer(hexadecimal)));
const escaped = rule('escape', character('\\'), either(...'"\'\\/bfnrt', [character('u'), refer(codeUnit)]));
const doubleQuoted = rule('double-quoted', ...quoted('"'));
const singleQuoted = rule('single-quoted', ...quoted("'"));

/**
 * The rules over characters, for the token types that are defined by a pattern. Their names are the labels of the
 * types. Tests compare the rules with the patterns.
 */
export const CHARACTER_RULES: readonly Rule[] = [
  rule('string', either(refer(doubleQuoted), refer(singleQuoted))),
  doubleQuoted,
  singleQuoted,
  escaped,
  codeUnit,
  hexadecimal,
  rule('number', decimal, optional(refer(exponent))),
  exponent,
  digits,
  digit,
  rule(
    'white-space',
    either(
      ...[character(' ', 'U+0020 space'), character('\t', 'U+0009 tab')],
      ...[character('\n', 'U+000A line feed'), character('\r', 'U+000D carriage return')],
    ),
  ),
];

/** All rules by name. */
export const RULES: ReadonlyMap<string, Rule> = new Map(
  [...EXPRESSION_RULES, ...WORD_RULES, ...CHARACTER_RULES].map((each) => [nameOf(each), each]),
);

/** Returns the name of a rule as written in EBNF, such as `list-item`. */
export function nameOf(named: Rule | NonTerminal): string {
  const name = named instanceof Rule ? named.name : named.nonTerminalName;
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the leaf of a terminal. */
export function leafOf({ terminalType }: Terminal): Leaf {
  return terminalType as TokenType;
}

/** Returns the alternatives of an alternation, each as a sequence. */
export function alternativesOf({ definition }: Alternation): (readonly IProduction[])[] {
  return definition.map((alternative) => (alternative as Alternative).definition);
}

/** Returns whether a leaf has a rule, because it has several spellings. */
export function hasRule({ LABEL, spellings }: Leaf): boolean {
  return spellings.length !== 1 && RULES.has(LABEL);
}

function rule(name: string, ...definition: IProduction[]): Rule {
  return new Rule({ name, definition });
}

function refer(referencedRule: Rule): NonTerminal {
  return new NonTerminal({ nonTerminalName: referencedRule.name, referencedRule });
}

function optional(...definition: IProduction[]): Option {
  return new Option({ definition });
}

function either(...alternatives: readonly (IProduction | IProduction[] | string)[]): Alternation {
  const definitions = alternatives.map((each) => (typeof each === 'string' ? character(each) : each));
  return new Alternation({ definition: definitions.map((each) => new Alternative({ definition: [each].flat() })) });
}

/** Creates a terminal for a character, a word or a symbol. */
function character(spelling: string, label = spelling): Terminal {
  return terminal({ name: label, LABEL: label, spellings: [spelling] });
}

function quoted(quote: string): IProduction[] {
  const label = `any character except ${quote}, \\, CR and LF`;
  const other = terminal({
    name: label,
    LABEL: label,
    spellings: [],
    PATTERN: new RegExp(`^[^${quote}\\\\\\r\\n\\p{Surrogate}]$`, 'u'),
  });
  return [character(quote), new Repetition({ definition: [either(other, refer(escaped))] }), character(quote)];
}

function terminal(leaf: Leaf): Terminal {
  return new Terminal({ terminalType: leaf });
}
