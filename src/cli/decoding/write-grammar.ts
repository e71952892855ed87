import type { GrammarSymbol, Sequence, Terminal, TypedGrammar } from './typed-grammar.ts';

/** A notation of grammars for constrained decoding. */
interface Notation {
  readonly about: string;
  readonly writeName: (name: string) => string;
  readonly define: string;
  readonly writeCharacters: (text: string) => string;
  readonly writeRepeat: (group: string, min: number, max: number) => string;
  readonly writeTerminal: (name: Terminal) => string;
  /** The definitions of the terminals. */
  readonly terminals: string;
}

const ABOUT = 'Expressions of onwhere that `onwhere check` accepts, for constrained decoding.';

/** The most characters of a string, so that a model cannot get lost in one. */
const MAX_CHARACTERS = 200;

const GBNF: Notation = {
  about: `# ${ABOUT} GBNF is the notation of llama.cpp.\n\n`,
  writeName: (name) => name,
  define: '::=',
  writeCharacters: (text) => `"${text.replace(/["\\]/g, '\\$&')}"`,
  writeRepeat: (group, min, max) => (min === 0 && max === 1 ? `${group}?` : `${group}{${min},${max}}`),
  writeTerminal: (name) => name,
  terminals: String.raw`string ::= "\"" character{0,${MAX_CHARACTERS}} "\""
character ::= [^"\\\x00-\x1f\x7f-\x9f] | "\\" (["\\/bfnrt] | "u" code-unit)
code-unit ::= [0-9a-ce-f] hexadecimal{3} | "d" [0-7] hexadecimal{2}
hexadecimal ::= [0-9a-f]
number ::= ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,9})?
date ::= "\"" [12] [0-9]{3} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | "1" [0-9] | "2" [0-8]) time? "\""
time ::= "T" ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] "Z"?`,
};

const LARK: Notation = {
  about: `// ${ABOUT} Lark is the notation of llguidance, Outlines and Lark.\n\n`,
  writeName: (name) => (name === 'root' ? 'start' : name.replaceAll('-', '_')),
  define: ':',
  writeCharacters: (text) => JSON.stringify(text),
  writeRepeat: (group, min, max) => (min === 0 && max === 1 ? `${group}?` : `${group}~${min}..${max}`),
  writeTerminal: (name) => name.toUpperCase(),
  terminals: String.raw`STRING: /"(?:[^"\\\x00-\x1f\x7f-\x9f]|\\(?:["\\\/bfnrt]|u(?:[0-9a-ce-f][0-9a-f]{3}|d[0-7][0-9a-f]{2}))){0,${MAX_CHARACTERS}}"/
NUMBER: /(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?/
DATE: /"[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z?)?"/`,
};

/** The notations by their name. */
export const NOTATIONS = { gbnf: GBNF, lark: LARK } as const;

/** Writes a grammar in a notation. */
export function writeGrammar(grammar: TypedGrammar, notation: Notation): string {
  const rules = [...grammar].map(([name, choices]) => {
    return `${notation.writeName(name)} ${notation.define} ${writeChoices(choices, notation)}`;
  });
  return `${notation.about}${rules.join('\n')}\n\n${notation.terminals}\n`;
}

function writeChoices(choices: readonly Sequence[], notation: Notation): string {
  return choices.map((sequence) => sequence.map((symbol) => writeSymbol(symbol, notation)).join(' ')).join(' | ');
}

function writeSymbol(symbol: GrammarSymbol, notation: Notation): string {
  switch (symbol.kind) {
    case 'characters':
      return notation.writeCharacters(symbol.text);
    case 'terminal':
      return notation.writeTerminal(symbol.name);
    case 'rule':
      return notation.writeName(symbol.name);
    case 'repeat': {
      const group = `(${writeChoices(symbol.choices, notation)})`;
      return symbol.min === 1 && symbol.max === 1 ? group : notation.writeRepeat(group, symbol.min, symbol.max);
    }
  }
}
