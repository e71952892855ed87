import { createToken, EmbeddedActionsParser, Lexer } from 'chevrotain';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeEbnf } from '../../../grammar/ebnf.ts';
import { EXPRESSION_RULES, hasRule, nameOf, RULES } from '../../../grammar/rules.ts';
import { OPERATORS } from '../../../src/lang/operators/table.ts';
import { Grammar } from '../../../src/lang/syntax/grammar.ts';
import { createLexer, tokenize } from '../../../src/lang/syntax/lexer.ts';
import { tryParse } from '../../../src/lang/syntax/parse.ts';
import * as T from '../../../src/lang/syntax/vocabulary.ts';
import { garbage } from '../../garbage.ts';
import { IN_FULL, runs } from '../../runs.ts';
import { withShortTraces } from '../../with-short-traces.ts';
import { beyondEbnf } from './beyond-ebnf.ts';
import { changed } from './changed.ts';
import { leavesIn, ruleOf, rulesIn } from './reach.ts';
import { derivesText, derivesTokens } from './recogniser.ts';
import { anyCharacter, anyToken, sentences, texts, write } from './sentences.ts';

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const LEAVES = leavesIn(ruleOf('expression'));
const WORDS = LEAVES.flatMap(({ spellings }) => spellings);

describe('the rules', () => {
  it('are complete, and all of them are used', () => {
    const labels = LEAVES.filter(hasRule).map(({ LABEL }) => LABEL);
    const used = ['expression', 'white-space', ...labels].flatMap((name) => [...rulesIn(ruleOf(name))]);
    expect(sorted(used.map(nameOf))).toEqual(sorted(RULES.keys()));
  });

  it('contain every operator and every word', () => {
    expect(WORDS).toEqual(expect.arrayContaining(OPERATORS.map(({ name }) => name)));
    expect(WORDS).toEqual(expect.arrayContaining([...T.WORDS.keys()]));
  });
});

it('the rules for expressions match the specification', () => {
  const rules = writeEbnf().matchAll(/^([a-z-]+) +(= .*;)$/gm);
  const written = new Map(Array.from(rules, ([, name = '', right = '']) => [name, right]));
  const unary = 'string | number | boolean | "now" | property | call | "(" , expression , ")"';
  expect(EXPRESSION_RULES.map((rule) => [nameOf(rule), written.get(nameOf(rule))])).toEqual([
    ['expression', '= unary , { binary-operator , unary | "-" , unary | "in" , ( list | unary ) } ;'],
    ['unary', `= { "not" | "-" } , ( ${unary} ) ;`],
    ['property', '= scope , "[" , string , "]" ;'],
    ['call', '= function , "(" , expression , ")" ;'],
    ['list', '= "[" , [ list-item , { "," , list-item } ] , "]" ;'],
    ['list-item', '= string | number | boolean | "-" , number ;'],
  ]);
});

describe('Chevrotain', () => {
  // Its validation calls `Object.groupBy`, which Node 20 does not have.
  const groupBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string) => {
    const keys = new Set(items.map(keyOf));
    return Object.fromEntries([...keys].map((key) => [key, items.filter((item) => keyOf(item) === key)]));
  };
  beforeAll(() => {
    (Object as { groupBy?: unknown }).groupBy ??= groupBy;
  });

  it('finds no errors in the token types and the rules', () => {
    expect(createLexer(false).lexerDefinitionErrors).toEqual([]);
    expect(() => new Grammar(false)).not.toThrow();
  });

  it('would find a pattern that never matches', () => {
    const types = ['One', 'Two'].map((name) => createToken({ name, pattern: /a/ }));
    expect(() => new Lexer(types)).toThrow('same RegExp pattern');
  });

  it('would find alternatives that one token cannot tell apart', () => {
    class Ambiguous extends EmbeddedActionsParser {
      readonly operand = this.RULE('operand', () =>
        this.OR([
          { ALT: () => this.CONSUME(T.ScopeWord) },
          { ALT: () => [this.CONSUME1(T.ScopeWord), this.CONSUME(T.OpenBracket)] },
        ]),
      );

      constructor() {
        super([...T.TOKEN_TYPES], { maxLookahead: 1 });
        this.performSelfAnalysis();
      }
    }
    expect(() => new Ambiguous()).toThrow('Ambiguous');
  });
});

it('the order of token types matters only for invalid tokens', () => {
  const alike = ['String UnclosedString', 'Number MalformedNumber', 'Number Dot', 'MalformedNumber Dot'];
  const patterns = T.TOKEN_TYPES.flatMap(({ name, PATTERN }) =>
    PATTERN instanceof RegExp && PATTERN !== Lexer.NA ? [{ name, pattern: new RegExp(PATTERN, 'y') }] : [],
  );
  fc.assert(
    fc.property(garbage, fc.nat(), (text, offset) => {
      const matching = patterns.filter(({ pattern }) => {
        pattern.lastIndex = offset % (text.length + 1);
        return pattern.test(text);
      });
      const names = matching.map(({ name }) => name);
      const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => `${one} ${other}`));
      expect(pairs.filter((pair) => !alike.includes(pair))).toEqual([]);
    }),
    { numRuns: runs(10_000) },
  );
});

const codesOf = (text: string) =>
  sorted(withShortTraces(() => tryParse(text)).diagnostics?.map(({ code }) => code) ?? []);

/** Each additional token multiplies the number of sentences by 30. */
const MAX_TOKENS = IN_FULL ? 4 : 3;

describe('sentences', () => {
  it('that the grammar derives are parsed, unless its comments forbid them', () => {
    fc.assert(
      fc.property(sentences(), fc.constantFrom('', ' ', '\r\n\t'), (tokens, end) => {
        expect(codesOf(write(tokens) + end)).toEqual(beyondEbnf(tokens.map(({ text }) => text)));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('with random changes are parsed exactly if the grammar derives them', () => {
    const rows = sentences().map((sentence) => sentence.map(({ text }) => text));
    const faultless = rows.filter((row) => beyondEbnf(row).length === 0);
    fc.assert(
      fc.property(changed(faultless, anyToken()), (row) => {
        const derived = derivesTokens(row) && beyondEbnf(row).length === 0;
        expect(codesOf(row.join(' ')).length === 0).toBe(derived);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it(`of up to ${MAX_TOKENS} tokens are parsed exactly if the grammar derives them`, () => {
    const alphabet = LEAVES.map(({ LABEL, spellings: [first] }) => first ?? (LABEL === 'string' ? '"a"' : '1'));
    let rows: string[][] = [[]];
    let derived = 0;
    for (let length = 1; length <= MAX_TOKENS; length++) {
      rows = rows.flatMap((row) => [...new Set(alphabet)].map((token) => [...row, token]));
      for (const row of rows) {
        const expected = derivesTokens(row) && beyondEbnf(row).length === 0;
        if (expected) derived++;
        if (expected !== (codesOf(row.join(' ')).length === 0)) expect.fail(row.join(' '));
      }
    }
    expect(derived).toBeGreaterThan(IN_FULL ? 100 : 50);
  });

  it.each([
    ['1 == not true', 'misplaced-not'],
    ['- not true', 'misplaced-not'],
    ['1 in [1] + 2', 'misplaced-list'],
    ['12px', 'malformed-number'],
    ['1_000', 'malformed-number'],
    ['1.2.3', 'malformed-number'],
  ])('like %s are errors, as the comments of the grammar say', (text, code) => {
    expect(codesOf(text)).toEqual([code]);
  });
});

describe.each([
  ['string', T.StringLiteral],
  ['number', T.NumberLiteral],
] as const)('a %s', (name, type) => {
  const isOne = (text: string) => {
    const [token] = tokenize(text).tokens;
    return token?.tokenType === type && token.image === text;
  };

  it('that the grammar derives is one token', () => {
    fc.assert(
      fc.property(texts(name), (text) => isOne(text)),
      { numRuns: runs(2_000) },
    );
  });

  it('with random changes is one token exactly if the grammar derives it', () => {
    const characters = texts(name).map((text) => [...text]);
    const meaningful = fc.mixedCase(fc.constantFrom(...leavesIn(ruleOf(name)).flatMap(({ spellings }) => spellings)));
    fc.assert(
      fc.property(changed(characters, fc.oneof(meaningful, anyCharacter)), (row) => {
        const text = row.join('');
        // The lexer accepts invalid escape sequences, which the parser reports.
        const one = isOne(text) && !codesOf(text).includes('invalid-escape');
        expect(one).toBe(derivesText(name, text));
      }),
      { numRuns: runs(10_000) },
    );
  });
});

it('a string with a lone surrogate is an error', () => {
  const piece = fc.constantFrom('\\ud83d', '\\uDE00', '\\\\', 'u', 'de00', '😀');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = `"${pieces.join('')}"`;
      expect(codesOf(text)).toEqual(beyondEbnf([text]));
    }),
  );
});

it('a longer word that begins with a word of the language is a name', () => {
  const words = WORDS.filter((word) => /^\w/.test(word));
  fc.assert(
    fc.property(fc.mixedCase(fc.constantFrom(...words)), fc.stringMatching(/^\w+$/), (word, more) => {
      fc.pre(!words.includes(`${word}${more}`.toLowerCase()));
      expect(tokenize(word + more).tokens).toMatchObject([{ tokenType: T.Name, image: word + more }]);
    }),
  );
});
