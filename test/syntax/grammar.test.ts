import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Ebnf, readEbnf } from '../../grammar/ebnf.ts';
import type { Scope } from '../../src/language/ast.ts';
import { BINARY, FUNCTIONS, LOGICAL, OPERATORS, PREFIX } from '../../src/operators/table.ts';
import { tryParse } from '../../src/syntax/parse.ts';
import * as T from '../../src/syntax/token.ts';
import { tokenize } from '../../src/syntax/tokenize.ts';
import { beyondEbnf } from './beyond-ebnf.ts';
import { changed } from './changed.ts';
import { isLexical, reach, rule, ruleOf } from './ebnf.ts';
import { ambiguities } from './lookahead.ts';
import { derivesText, derivesTokens } from './recogniser.ts';
import { anyCharacter, anyToken, sentences, texts, write } from './sentences.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const GRAMMAR = readEbnf(read('../../grammar/onwhere.ebnf'));

/** The rules that are sets of words and symbols, what else lists them, and what tells their tokens from others. */
const SETS: readonly (readonly [name: string, listed: readonly string[], is: (type: T.TokenType) => boolean])[] = [
  [
    'binary-operator',
    Object.keys({ ...LOGICAL, ...BINARY }).filter((name) => name !== 'in'),
    (type) => type.infix !== undefined && type !== T.In,
  ],
  ['prefix-operator', Object.keys(PREFIX), (type) => type.prefix !== undefined],
  ['function', Object.keys(FUNCTIONS), (type) => type.category === T.FunctionWord],
  [
    'scope',
    Object.keys({ properties: 0, event: 0, user: 0 } satisfies Record<Scope, 0>),
    (type) => type.category === T.Scope,
  ],
  ['boolean', ['true', 'false'], (type) => type.category === T.BooleanWord],
];

const isSet = (node: Ebnf) => node.kind === 'rule' && SETS.some(([name]) => name === node.name);
const isToken = (node: Ebnf) => isSet(node) || isLexical(node);
const namesOf = (nodes: Iterable<Ebnf>) => [...nodes].flatMap((node) => (node.kind === 'rule' ? [node.name] : []));
const never = () => false;
const wordsOf = (name: string, isLeaf: (node: Ebnf) => boolean = isLexical) =>
  [...reach(GRAMMAR, rule(name), isLeaf)].flatMap((node) => (node.kind === 'terminal' ? [node.text] : []));
const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

describe('the EBNF reader', () => {
  it('reads the notation', () => {
    const [a, b] = [rule('a'), rule('b-2')];
    expect(readEbnf(`(* a | *) a = "'" , { b-2 } | [ a ] - 'x' ; b-2 = 2 * ( a | (b-2|a) ) , ? x - y ? ;`)).toEqual(
      new Map([
        [
          'a',
          {
            kind: 'choice',
            items: [
              {
                kind: 'sequence',
                items: [
                  { kind: 'terminal', text: "'" },
                  { kind: 'repetition', item: b },
                ],
              },
              {
                kind: 'exception',
                item: { kind: 'optional', item: a },
                except: { kind: 'terminal', text: 'x' },
              },
            ],
          },
        ],
        [
          'b-2',
          {
            kind: 'sequence',
            items: [
              { kind: 'choice', items: [a, b, a] },
              { kind: 'choice', items: [a, b, a] },
              { kind: 'special', text: 'x - y' },
            ],
          },
        ],
      ]),
    );
  });

  it.each(['a = ', 'a = b', 'a = b c ;', 'a = [ b ;', 'a = b ; !', 'a = b ; a = c ;'])('refuses %s', (text) => {
    expect(() => readEbnf(text)).toThrow(SyntaxError);
  });
});

describe('the grammar', () => {
  it('has no rule that is missing or not needed', () => {
    const used = ['expression', 'white-space'].flatMap((name) => [...reach(GRAMMAR, rule(name), never)]);
    expect(sorted(namesOf(used))).toEqual(sorted(GRAMMAR.keys()));
  });

  it('lists every operator', () => {
    expect(wordsOf('expression')).toEqual(expect.arrayContaining(OPERATORS.map(({ name }) => name)));
  });

  it.each(SETS)('has the words of %s', (name, listed, is) => {
    const tokens = [...T.VOCABULARY].filter(([, type]) => is(type));
    expect(sorted(wordsOf(name))).toEqual(sorted(listed));
    expect(sorted(tokens.map(([word]) => word))).toEqual(sorted(listed));
  });

  it('is decided by one token at every place', () => {
    expect(ambiguities(GRAMMAR, 'expression')).toEqual([]);
  });

  it.each([
    ['a = b | c ; b = "x" ; c = [ "y" ] , "x" ;', ['"x"']],
    ['a = [ "x" ] , b ; b = { "y" } , "x" ;', ['"x"']],
    ['a = b , "x" ; b = "y" , { "x" } ;', ['"x"']],
    ['a = "y" , [ a ] , [ "x" ] | "z" , a , "x" ;', ['"x"']],
    ['a = { string , "," } , string ;', ['string']],
  ])('would not be with %s', (text, tokens) => {
    expect(sorted(ambiguities(readEbnf(text), 'a'))).toEqual(tokens);
  });
});

describe('the parser', () => {
  it('shows each rule over the method of its name', () => {
    const overTokens = [...reach(GRAMMAR, rule('expression'), isToken)].filter((node) => !isToken(node));
    const methods = read('../../src/syntax/parser.ts').matchAll(/^ *\/\/ ([a-z-]+ += .* ;)\n *private (\w+)\(/gm);
    const shown = new Map(Array.from(methods, ([, text = '', method = '']) => [method, readEbnf(text)]));
    const rules = sorted(namesOf(overTokens)).map((name) => [name, ruleOf(GRAMMAR, name)] as const);
    expect(shown).toEqual(new Map(rules.map((rule) => [camelCase(rule[0]), new Map([rule])])));
  });
});

const codesOf = (text: string) => sorted(tryParse(text).diagnostics?.map(({ code }) => code) ?? []);

describe('sentences', () => {
  it('that the grammar derives parse, but for what its comments forbid', () => {
    fc.assert(
      fc.property(sentences(GRAMMAR), fc.constantFrom('', ' ', '\r\n\t'), (tokens, end) => {
        expect(codesOf(write(tokens) + end)).toEqual(beyondEbnf(tokens.map(({ text }) => text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('with mistakes parse exactly when the grammar derives them too', () => {
    const rows = sentences(GRAMMAR).map((sentence) => sentence.map(({ text }) => text));
    const faultless = rows.filter((row) => beyondEbnf(row).length === 0);
    fc.assert(
      fc.property(changed(faultless, anyToken(GRAMMAR)), (row) => {
        const derived = derivesTokens(GRAMMAR, row) && beyondEbnf(row).length === 0;
        expect(codesOf(row.join(' ')).length === 0).toBe(derived);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of up to four tokens parse exactly when the grammar derives them', () => {
    const words = wordsOf('expression', isToken);
    const alphabet = [...words, ...SETS.flatMap(([name]) => wordsOf(name).slice(0, 1)), '-', '"a"', '1'];
    let rows: string[][] = [[]];
    let derived = 0;
    for (let length = 1; length <= 4; length++) {
      rows = rows.flatMap((row) => [...new Set(alphabet)].map((token) => [...row, token]));
      for (const row of rows) {
        const expected = derivesTokens(GRAMMAR, row) && beyondEbnf(row).length === 0;
        if (expected) derived++;
        if (expected !== (codesOf(row.join(' ')).length === 0)) expect.fail(row.join(' '));
      }
    }
    expect(derived).toBeGreaterThan(100);
  });

  it.each([
    ['1 == not true', 'misplaced-not'],
    ['- not true', 'misplaced-not'],
    ['1 in [1] + 2', 'misplaced-list'],
    ['12px', 'malformed-number'],
    ['1_000', 'malformed-number'],
    ['1.2.3', 'malformed-number'],
  ])('like %s are errors, as the comments say', (text, code) => {
    expect(codesOf(text)).toEqual([code]);
  });
});

describe.each([
  ['string', T.Text],
  ['number', T.Numeral],
] as const)('a %s', (name, type) => {
  const isOne = (text: string) => {
    const [token] = tokenize(text).tokens;
    return token?.type === type && token.start === 0 && token.end === text.length;
  };

  it('that the grammar derives is one token', () => {
    fc.assert(
      fc.property(texts(GRAMMAR, name), (text) => isOne(text)),
      { numRuns: 2_000 },
    );
  });

  it('with mistakes is one exactly when the grammar derives it too', () => {
    const characters = texts(GRAMMAR, name).map((text) => [...text]);
    const meaningful = fc.mixedCase(fc.constantFrom(...wordsOf(name, never)));
    fc.assert(
      fc.property(changed(characters, fc.oneof(meaningful, anyCharacter)), (row) => {
        const text = row.join('');
        // What follows a backslash is looked at after the token was taken.
        const one = isOne(text) && !codesOf(text).includes('invalid-escape');
        expect(one).toBe(derivesText(GRAMMAR, rule(name), text));
      }),
      { numRuns: 10_000 },
    );
  });
});

it('a string has whole surrogate pairs only', () => {
  const piece = fc.constantFrom('\\ud83d', '\\uDE00', '\\\\', 'u', 'de00', '😀');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = `"${pieces.join('')}"`;
      expect(codesOf(text)).toEqual(beyondEbnf([text]));
    }),
  );
});

it('a word that runs on is not that word', () => {
  const words = wordsOf('expression').filter((word) => /^\w/.test(word));
  fc.assert(
    fc.property(fc.mixedCase(fc.constantFrom(...words)), fc.stringMatching(/^\w+$/), (word, more) => {
      fc.pre(!words.includes(`${word}${more}`.toLowerCase()));
      expect(tokenize(word + more)).toEqual({
        tokens: [{ type: T.Name, start: 0, end: word.length + more.length }],
        strays: [],
      });
    }),
  );
});
