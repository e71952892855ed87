/** A random number from 0 up to, but not including, 1. */
export type Draw = () => number;

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'class'; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly kind: 'others'; readonly characters: readonly string[] }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'choice'; readonly sequences: readonly (readonly Node[])[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly max: number };

const TOKEN = /\s*(?:#.*\n)?\s*("(?:[^"\\]|\\.)*"|\[\^?(?:[^\]\\]|\\.)*\]|\{\d+(?:,\d+)?\}|::=|[a-z0-9-]+|[()|?*+])/y;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Reads a grammar in GBNF, the notation of llama.cpp. @throws {Error} if it is not well-formed. */
export function readGbnf(text: string): ReadonlyMap<string, Node> {
  const rules = new Map<string, Node>();
  const parts = text.replace(/^#.*$/gm, '').split(/^([a-z0-9-]+) ::= /m);
  for (let index = 1; index < parts.length; index += 2) {
    const [name = '', body = ''] = parts.slice(index, index + 2);
    if (rules.has(name)) throw new Error(`The rule ${name} is there twice`);
    rules.set(name, new Reader(body).read());
  }
  return rules;
}

class Reader {
  private readonly tokens: string[] = [];

  constructor(text: string) {
    const trimmed = text.trimEnd();
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < trimmed.length) {
      const at = TOKEN.lastIndex;
      const found = TOKEN.exec(trimmed)?.[1];
      if (found === undefined) throw new Error(`Not GBNF: ${trimmed.slice(at, at + 40)}`);
      this.tokens.push(found);
    }
  }

  read(): Node {
    const node = this.readChoice();
    if (this.tokens.length > 0) throw new Error(`Not GBNF: ${this.tokens[0]}`);
    return node;
  }

  private readChoice(): Node {
    const sequences: Node[][] = [[]];
    while (this.tokens.length > 0 && this.tokens[0] !== ')') {
      if (this.tokens[0] === '|') {
        this.tokens.shift();
        sequences.push([]);
      } else {
        sequences.at(-1)?.push(this.readItem());
      }
    }
    return { kind: 'choice', sequences };
  }

  private readItem(): Node {
    const node = this.readAtom(this.tokens.shift() as string);
    const [next = ''] = this.tokens;
    const [, min, max = min] = /^\{(\d+)(?:,(\d+))?\}$/.exec(next) ?? [];
    if (min !== undefined) {
      this.tokens.shift();
      return { kind: 'repeat', node, min: Number(min), max: Number(max) };
    }
    if (next !== '?') return node;
    this.tokens.shift();
    return { kind: 'repeat', node, min: 0, max: 1 };
  }

  private readAtom(token: string): Node {
    if (token === '(') {
      const node = this.readChoice();
      if (this.tokens.shift() !== ')') throw new Error('Not GBNF: a parenthesis is open');
      return node;
    }
    if (token.startsWith('"')) return { kind: 'text', text: readCharacters(token.slice(1, -1)).join('') };
    if (token.startsWith('[')) return readClass(token.slice(1, -1));
    return { kind: 'rule', name: token };
  }
}

function readClass(text: string): Node {
  const isNegated = text.startsWith('^');
  const units = [...text.slice(isNegated ? 1 : 0).matchAll(/\\x[0-9a-f]{2}|\\.|[\s\S]/gu)].map(([unit]) => unit);
  const ranges: [number, number][] = [];
  for (let index = 0; index < units.length; index++) {
    const from = codeOf(units[index] as string);
    const isRange = units[index + 1] === '-' && index + 2 < units.length;
    ranges.push([from, isRange ? codeOf(units[index + 2] as string) : from]);
    if (isRange) index += 2;
  }
  if (!isNegated) return { kind: 'class', ranges };
  return { kind: 'others', characters: OTHERS.filter((other) => !isInRanges(other, ranges)) };
}

function codeOf(unit: string): number {
  return readCharacters(unit)[0]?.codePointAt(0) as number;
}

function readCharacters(text: string): string[] {
  return [...text.matchAll(/\\x([0-9a-f]{2})|\\(.)|([\s\S])/gu)].map(([, code, escaped, plain]) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return escaped === undefined ? (plain as string) : (ESCAPES[escaped] ?? escaped);
  });
}

/** Characters that are easy to get wrong, for classes that exclude some. */
const OTHERS = Array.from("a b0'`[](){}|#$%\u00a0é語\u2028\u202e\ufeff\uffff😀\u{10ffff}");

/** Draws a sentence of a rule. Most repetitions are short, and some are as long as they may be. */
export function drawSentence(rules: ReadonlyMap<string, Node>, draw: Draw, name = 'root'): string {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(draw() * items.length)] as Item;
  const write = (node: Node): string => {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'rule': {
        const rule = rules.get(node.name);
        if (rule === undefined) throw new Error(`There is no rule ${node.name}`);
        return write(rule);
      }
      case 'choice':
        return pick(node.sequences).map(write).join('');
      case 'repeat': {
        const extra =
          draw() < 0.002 ? node.max - node.min : Math.floor(draw() ** 3 * Math.min(4, node.max - node.min + 1));
        return Array.from({ length: node.min + extra }, () => write(node.node)).join('');
      }
      case 'others':
        return pick(node.characters);
      case 'class': {
        const [from, to] = pick(node.ranges);
        return String.fromCodePoint(from + Math.floor(draw() * (to - from + 1)));
      }
    }
  };
  return write({ kind: 'rule', name });
}

function isInRanges(character: string, ranges: readonly (readonly [number, number])[]): boolean {
  const code = character.codePointAt(0) as number;
  return ranges.some(([from, to]) => from <= code && code <= to);
}
