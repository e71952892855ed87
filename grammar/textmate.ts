import { Lexer } from 'chevrotain';
import { POWER } from '../src/lang/operators/row.ts';
import { ESCAPED } from '../src/lang/syntax/literal.ts';
import * as T from '../src/lang/syntax/vocabulary.ts';

/** A rule of a TextMate grammar, with the fields that this one needs. */
interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Readonly<Record<number, Rule>>;
  readonly beginCaptures?: Readonly<Record<number, Rule>>;
  readonly patterns?: readonly Rule[];
  readonly include?: string;
}

/** The TextMate scope of each kind of highlight. */
const SCOPES: Readonly<Record<T.HighlightKind, string>> = {
  text: 'string.quoted.double.onwhere',
  escape: 'constant.character.escape.onwhere',
  number: 'constant.numeric.onwhere',
  constant: 'constant.language.onwhere',
  scope: 'variable.language.onwhere',
  property: 'variable.other.property.onwhere',
  function: 'support.function.onwhere',
  keyword: 'keyword.operator.logical.onwhere',
  operator: 'keyword.operator.arithmetic.onwhere',
  bracket: 'punctuation.section.brackets.onwhere',
  punctuation: 'punctuation.separator.onwhere',
  invalid: 'invalid.illegal.onwhere',
};
const SINGLE_QUOTED = 'string.quoted.single.onwhere';
const COMPARISON = 'keyword.operator.comparison.onwhere';

/** The words of the language, which have no patterns, and the token types that have one. */
const WORDS = [...T.WORDS.values()].filter(({ name }) => /^[a-z]/.test(name));
const OTHER_TYPES = T.TOKEN_TYPES.filter(({ PATTERN }) => PATTERN !== Lexer.NA);

/**
 * Writes the TextMate grammar. Editors apply it line by line. No token is longer than a line, and nested rules continue
 * on the next line.
 */
export function writeTextMateGrammar(): string {
  const grammar = {
    information: 'Written by `npm run generate` from src/lang/syntax/vocabulary.ts and grammar/textmate.ts.',
    name: 'onwhere',
    scopeName: 'source.onwhere',
    fileTypes: ['onwhere'],
    patterns: [
      include('scope'),
      ...wordRules(),
      include('string'),
      {
        name: COMPARISON,
        match: `(?=${comparisons().map(T.escapeSymbol).join('|')})(?:${sourceOf(T.BinaryOperator)})`,
      },
      ...OTHER_TYPES.filter((type) => type !== T.StringLiteral).map(toRule),
      include('stray'),
    ],
    repository: { ...propertyRules(), ...stringRules() },
  };
  return `${JSON.stringify(grammar, null, 2)}\n`;
}

/**
 * Returns the rules for a property, which can have several lines: a scope, a bracket and a string, which is the name.
 * Characters that no token begins with are ignored. Any other token instead of the bracket ends the scope. After any
 * other token instead of the name, no string is a name.
 */
function propertyRules(): Readonly<Record<string, Rule>> {
  const otherThan = (...types: readonly T.TokenType[]) => {
    const others = OTHER_TYPES.filter((type) => !types.includes(type));
    return `(?=${others.map(sourceOf).join('|')})`;
  };
  const end = otherThan(T.OpenBracket, T.StringLiteral, T.UnclosedString);
  const insteadOfName = (type: T.TokenType, kind = type.highlight): Rule => ({
    begin: sourceOf(type),
    beginCaptures: { 0: { name: SCOPES[kind], ...(kind === 'property' && { patterns: [include('escape')] }) } },
    end,
    patterns: [include('string'), toRule(T.UnclosedString), toRule(T.OpenBracket), include('stray')],
  });
  return {
    scope: {
      begin: anyOf(T.ScopeWord.spellings),
      beginCaptures: { 0: { name: SCOPES.scope } },
      end: otherThan(T.OpenBracket),
      patterns: [include('name'), include('stray')],
    },
    name: {
      begin: sourceOf(T.OpenBracket),
      beginCaptures: { 0: { name: SCOPES.bracket } },
      end,
      patterns: [
        insteadOfName(T.StringLiteral, 'property'),
        insteadOfName(T.UnclosedString),
        insteadOfName(T.OpenBracket),
        include('stray'),
      ],
    },
    stray: { name: SCOPES.invalid, match: '[^ \\t\\r\\n]' },
  };
}

function stringRules(): Readonly<Record<string, Rule>> {
  const quoted = (name: string, quote: string): Rule => ({
    name,
    match: `(?=${quote})(?:${sourceOf(T.StringLiteral)})`,
    captures: { 0: { patterns: [include('escape')] } },
  });
  const escapes = `\\\\(?:u[0-9a-fA-F]{4}|[${Object.keys(ESCAPED).map(T.escapeSymbol).join('')}])`;
  return {
    string: { patterns: [quoted(SCOPES.text, '"'), quoted(SINGLE_QUOTED, "'")] },
    escape: {
      patterns: [
        { name: SCOPES.escape, match: escapes },
        { name: SCOPES.invalid, match: '\\\\[^\\r\\n]' },
      ],
    },
  };
}

function include(name: string): Rule {
  return { include: `#${name}` };
}

function toRule(type: T.TokenType): Rule {
  return { name: SCOPES[type.highlight], match: sourceOf(type) };
}

/** Returns a rule for the words of each kind. The rule for scopes is separate, because it includes the property. */
function wordRules(): Rule[] {
  const kinds = new Set(WORDS.map(({ highlight }) => highlight).filter((kind) => kind !== 'scope'));
  return Array.from(kinds, (kind) => {
    const words = WORDS.filter(({ highlight }) => highlight === kind);
    return { name: SCOPES[kind], match: anyOf(words.map(({ name }) => name)) };
  });
}

/** Returns a pattern for words in any letter case. A flag for that would also match letters of other alphabets. */
function anyOf(words: readonly string[]): string {
  const anyCase = words.map((word) => word.replace(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`));
  return `(?:${anyCase.join('|')})(?![${toOniguruma(T.LETTERS)}0-9])`;
}

/** Returns the pattern of a token type for Oniguruma. */
function sourceOf({ PATTERN }: T.TokenType): string {
  return toOniguruma((PATTERN as RegExp).source);
}

function toOniguruma(pattern: string): string {
  return pattern.replace(/\\u([0-9a-f]{4})/gi, '\\x{$1}');
}

function comparisons(): string[] {
  const isComparison = (name: string) => T.findWord(name).infix?.power === POWER.comparison;
  return T.BinaryOperator.spellings.filter(isComparison);
}
