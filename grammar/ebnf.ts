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
import {
  alternativesOf,
  CHARACTER_RULES,
  EXPRESSION_RULES,
  hasRule,
  type Leaf,
  leafOf,
  nameOf,
  WORD_RULES,
} from './rules.ts';

const ABOUT = `\
(* The grammar of onwhere expressions, in the notation of ISO/IEC 14977 with hyphens in rule names.

   Written by \`npm run generate\` from src/lang/syntax/grammar.ts, src/lang/syntax/vocabulary.ts and grammar/rules.ts. *)`;

const EXPRESSIONS = `\
(* Expressions: rules over tokens.

   White space is allowed before, between and after tokens. It is required only between two tokens that would
   otherwise run together. Expressions have no comments. *)`;

const LEFT_OPEN = `\
(* The rules leave open:

   - Operators group by precedence, which operators.md lists.
   - \`not\` cannot follow an operator that binds tighter: \`1 == not true\` and \`- not true\` are errors.
   - A list is always the right operand of its \`in\`, so no operator that binds tighter than \`in\` can follow it:
     \`1 in [1] + 2\` is an error.
   - A source has at most 65,536 UTF-16 code units and 256 levels of nesting, unless the caller sets other limits.
     Parentheses, calls, prefix operators and binary operators are levels. A chain of one \`and\` or one \`or\` is a
     single level. *)`;

const WORDS = `\
(* Words and symbols: each is one token.

   Words are case-insensitive. A word that continues with a letter, a digit or \`_\` is a different word. If two
   symbols begin alike, the longer one matches. *)`;

const CHARACTERS = `\
(* Strings and numbers: rules over characters, which are case-sensitive. Each string and each number is one token.

   - A string must be well-formed UTF-16: an escape for half of a surrogate pair needs the other half next to it.
   - A letter, a digit, \`_\` or \`.\` directly after a number is an error: \`12px\`, \`1_000\` and \`1.2.3\`.
   - A number too large for an IEEE 754 double is an error. *)`;

/** Writes the grammar in EBNF, with comments for the constraints that rules cannot express. */
export function writeEbnf(): string {
  const sections = [
    ABOUT,
    ['', EXPRESSIONS, writeRules(EXPRESSION_RULES), LEFT_OPEN].join('\n\n'),
    ['', WORDS, writeRules(WORD_RULES)].join('\n\n'),
    ['', CHARACTERS, writeRules(CHARACTER_RULES)].join('\n\n'),
  ];
  return `${sections.join('\n')}\n`;
}

function writeRules(rules: readonly Rule[]): string {
  const width = Math.max(...rules.map((rule) => nameOf(rule).length));
  return rules.map((rule) => `${nameOf(rule).padEnd(width)} = ${writeAll(rule.definition)} ;`).join('\n');
}

function writeAll(definition: readonly IProduction[]): string {
  const [only] = definition;
  if (only instanceof Alternation && definition.length === 1) return writeChoice(only);
  return definition.map((node) => (node instanceof Alternation ? `( ${writeChoice(node)} )` : write(node))).join(' , ');
}

function writeChoice(node: Alternation): string {
  return alternativesOf(node).map(writeAll).join(' | ');
}

function write(node: IProduction): string {
  if (node instanceof Terminal) return writeLeaf(leafOf(node));
  if (node instanceof NonTerminal) return nameOf(node);
  const inner = writeAll((node as Rule).definition);
  if (node instanceof Option) return `[ ${inner} ]`;
  if (node instanceof Repetition) return `{ ${inner} }`;
  if (node instanceof RepetitionMandatory) return `${inner} , { ${inner} }`;
  if (node instanceof RepetitionWithSeparator) {
    return `[ ${inner} , { ${writeLeaf(node.separator as Leaf)} , ${inner} } ]`;
  }
  throw new Error(`Cannot write EBNF for a ${node.constructor.name}`);
}

function writeLeaf(leaf: Leaf): string {
  const { LABEL, spellings } = leaf;
  if (hasRule(leaf)) return LABEL;
  if (LABEL !== spellings[0]) return `? ${LABEL} ?`;
  return LABEL.includes('"') ? `'${LABEL}'` : `"${LABEL}"`;
}
