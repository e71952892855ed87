import { highlight } from '../src/editor/highlight.ts';
import { POWER } from '../src/operators/row.ts';
import { FOREIGN_OPERATORS } from '../src/syntax/foreign-words.ts';
import { ESCAPED } from '../src/syntax/literal.ts';
import { CLOSING, Comma, Dot, type HighlightKind, WORDS } from '../src/syntax/vocabulary.ts';

/** A rule of a TextMate grammar, as far as this one needs them. */
interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly beginCaptures?: Readonly<Record<number, Rule>>;
  readonly patterns?: readonly Rule[];
  readonly include?: string;
}

/** The scope of each kind, by the conventions of TextMate; those of texts and of symbols say more. */
const SCOPES: Readonly<Record<Exclude<HighlightKind, 'text' | 'operator'>, string>> = {
  escape: 'constant.character.escape.onwhere',
  number: 'constant.numeric.onwhere',
  constant: 'constant.language.onwhere',
  scope: 'variable.language.onwhere',
  property: 'variable.other.property.onwhere',
  function: 'support.function.onwhere',
  keyword: 'keyword.operator.logical.onwhere',
  bracket: 'punctuation.section.brackets.onwhere',
  punctuation: 'punctuation.separator.onwhere',
  invalid: 'invalid.illegal.onwhere',
};

/** What characters the lexer takes for letters. */
const LETTERS = 'A-Za-z_$\\x{C0}-\\x{1FFF}\\x{2C00}-\\x{D7FF}\\x{F900}-\\x{FDFF}';
const NUMBER = '(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?';
const CURLY_TEXT = '[“”][^“”\\r\\n]*[“”]|[‘’][^‘’\\r\\n]*[‘’]';

const BRACKETS = [...CLOSING].flat().flatMap(({ spellings }) => spellings);
const SPELLINGS = [...WORDS.keys(), ...BRACKETS, ...Comma.spellings, ...Dot.spellings, ...FOREIGN_OPERATORS.keys()];
const [WORDLIKE, MARKS] = [true, false].map((isWord) => {
  return SPELLINGS.filter((name) => /^[a-z]/.test(name) === isWord);
}) as [string[], string[]];

const FIRST_OF_MARKS = [...new Set([...MARKS, '#'].map((mark) => mark.charAt(0)))];

const invalid = (match: string): Rule => ({ name: SCOPES.invalid, match });
const include = (name: string): Rule => ({ include: `#${name}` });

/** The TextMate grammar. It sees one line at a time, which is enough: no token is longer, and rules in each other lead over lines. */
export function textMateGrammar(): string {
  const grammar = {
    information: 'Written by `npm run generate` from grammar/textmate.ts and the operator table.',
    name: 'onwhere',
    scopeName: 'source.onwhere',
    fileTypes: ['onwhere'],
    patterns: [
      invalid('(?://|#)[^\\r\\n]*'),
      { name: SCOPES.number, match: `${NUMBER}(?![${LETTERS}0-9.])` },
      invalid(`(?:[0-9]|\\.(?=[0-9]))(?:[eE][+-]?|[${LETTERS}0-9.])*`),
      include('scope'),
      ...(['constant', 'function', 'keyword'] as const).map((kind) => ({ name: SCOPES[kind], match: anyWord(kind) })),
      invalid(`[${LETTERS}][${LETTERS}0-9]*`),
      include('text'),
      include('unclosed'),
      ...marks(),
      include('stray'),
    ],
    repository: { ...propertyRules(), ...textRules(), stray: invalid(`${CURLY_TEXT}|[^ \\t\\r\\n]`) },
  };
  return `${JSON.stringify(grammar, null, 2)}\n`;
}

/**
 * A property, over lines: a scope, behind it a bracket, behind that a text, which is the name. Strays do not count. What else stands
 * in the place of the bracket ends the scope; behind what stands in the place of the name no text is one.
 */
function propertyRules(): Readonly<Record<string, Rule>> {
  const otherMarks = inClass(FIRST_OF_MARKS.filter((mark) => mark !== '['));
  const before = (quotes: string) => `(?=${CURLY_TEXT}|[${quotes}${LETTERS}0-9${otherMarks}])`;
  const inPlaceOfName = (begin: string, capture: Rule): Rule => ({
    begin,
    beginCaptures: { 0: capture },
    end: before(''),
    patterns: ['text', 'unclosed', 'open', 'stray'].map(include),
  });
  return {
    scope: {
      begin: anyWord('scope'),
      beginCaptures: { 0: { name: SCOPES.scope } },
      end: before('"\''),
      patterns: [include('name'), include('stray')],
    },
    name: {
      begin: OPEN,
      beginCaptures: { 0: { name: SCOPES.bracket } },
      end: before(''),
      patterns: [
        ...QUOTES.map(({ quote }) => {
          return inPlaceOfName(quote + restOf(quote), { name: SCOPES.property, patterns: [include('escape')] });
        }),
        inPlaceOfName(OPEN, { name: SCOPES.bracket }),
        inPlaceOfName(UNCLOSED, { name: SCOPES.invalid }),
        include('stray'),
      ],
    },
    open: { name: SCOPES.bracket, match: OPEN },
  };
}

const OPEN = '\\[';
const QUOTES = [
  { quote: '"', name: 'string.quoted.double.onwhere' },
  { quote: "'", name: 'string.quoted.single.onwhere' },
];
const UNCLOSED = '["\'][^\\r\\n]*';

/** What stands behind a quote up to that which closes it. */
const restOf = (quote: string) => `(?:[^${quote}\\\\\\r\\n]|\\\\[^\\r\\n])*${quote}`;

function textRules(): Readonly<Record<string, Rule>> {
  const texts = QUOTES.map(({ quote, name }) => {
    return { name, begin: `${quote}(?=${restOf(quote)})`, end: quote, patterns: [include('escape')] };
  });
  const escapes = { name: SCOPES.escape, match: `\\\\(?:u[0-9a-fA-F]{4}|[${inClass(Object.keys(ESCAPED))}])` };
  return {
    text: { patterns: texts },
    unclosed: invalid(UNCLOSED),
    escape: { patterns: [escapes, invalid('\\\\[^\\r\\n]')] },
  };
}

/** All words of a kind, in any case of their letters; a flag for that would let in letters of other alphabets. */
function anyWord(kind: HighlightKind): string {
  const words = WORDLIKE.filter((word) => kindOf(word) === kind);
  const anyCase = words.map((word) => word.replace(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`));
  return `(?:${anyCase.join('|')})(?![${LETTERS}0-9])`;
}

/** A rule for all marks of one length and scope, the longest first: of two that begin alike the longer is taken. */
function marks(): readonly Rule[] {
  const rules = new Map<string, { name: string; marks: string[] }>();
  for (const mark of MARKS.toSorted((left, right) => right.length - left.length)) {
    const name = scopeOf(mark);
    const key = `${mark.length} ${name}`;
    const rule = rules.get(key) ?? { name, marks: [] };
    rule.marks.push(mark);
    rules.set(key, rule);
  }
  return Array.from(rules.values(), ({ name, marks }) => ({ name, match: marks.map(quoted).join('|') }));
}

function scopeOf(mark: string): string {
  const kind = kindOf(mark);
  if (kind === 'text') throw new Error(`${mark} is no mark`);
  if (kind !== 'operator') return SCOPES[kind];
  const isComparison = WORDS.get(mark)?.infix?.power === POWER.comparison;
  return `keyword.operator.${isComparison ? 'comparison' : 'arithmetic'}.onwhere`;
}

function kindOf(token: string): HighlightKind {
  return highlight(token)[0]?.kind ?? 'invalid';
}

const quoted = (mark: string) => mark.replace(/[^A-Za-z0-9]/g, '\\$&');
const inClass = (characters: readonly string[]) => characters.map(quoted).join('');
