import { unreachable } from '../src/base/unreachable.ts';
import type { Expression, Literal } from '../src/lang/ast.ts';

/** Returns a number from 0 to 1, like `Math.random`. */
type Random = () => number;

/** The operators from loosest to tightest (language, section 2). Functions and leaves bind tightest. */
const LEVELS = [['or'], ['and'], ['not'], ['==', '!=', '<', '<=', '>', '>=', 'in'], ['+', '-'], ['*', '/', '%']];
const NEGATION = LEVELS.length;
const LEAF = NEGATION + 1;

const SPACES = [' ', '  ', '\t', '\n', '\r\n', ' \r\t\n'];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Writes a tree in one of many spellings, chosen by the seed. */
export function respell(tree: Expression, seed: number): string {
  const random = randomFrom(seed);
  return joinTokens(new Speller(random).node(tree, 0), random);
}

/** Creates a Mulberry32 generator. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Speller {
  constructor(private readonly random: Random) {}

  /** Returns the tokens of a node, in parentheses if it binds looser than a level. */
  node(node: Expression, place: number): string[] {
    const tokens = this.bare(node);
    return levelOf(node) < place || this.sometimes(0.1) ? ['(', ...tokens, ')'] : tokens;
  }

  private bare(node: Expression): string[] {
    const level = levelOf(node);
    switch (node.kind) {
      case 'literal':
        return this.literal(node);
      case 'property':
        return [this.word(node.scope), '[', this.text(node.name), ']'];
      case 'now':
        return [this.word('now')];
      case 'call':
        return [this.word(node.operator), '(', ...this.node(node.operand, 0), ')'];
      case 'prefix':
        return [this.word(node.operator), ...this.node(node.operand, level)];
      case 'binary':
      case 'timeComparison':
        return [...this.node(node.left, level), this.word(node.operator), ...this.node(node.right, level + 1)];
      case 'membership': {
        const items = node.items.flatMap((item) => [',', ...this.literal(item)]).slice(1);
        return [...this.node(node.operand, level), this.word('in'), '[', ...items, ']'];
      }
      case 'logical':
        return this.chain(node.operator, node.operands, level);
      default:
        return unreachable(node);
    }
  }

  /** `a and b and c` is the same chain as `(a and b) and c`. */
  private chain(operator: string, operands: readonly Expression[], level: number): string[] {
    const last = operands.at(-1) as Expression;
    const front = operands.slice(0, -1);
    if (front.length === 1) {
      return [...this.node(front[0] as Expression, level + 1), this.word(operator), ...this.node(last, level + 1)];
    }
    const start = this.chain(operator, front, level);
    const grouped = this.sometimes(0.2) ? ['(', ...start, ')'] : start;
    return [...grouped, this.word(operator), ...this.node(last, level + 1)];
  }

  private literal({ value }: Literal): string[] {
    if (typeof value === 'string') return [this.text(value)];
    if (typeof value === 'boolean') return [this.word(String(value))];
    return value < 0 ? ['-', this.number(-value)] : [this.number(value)];
  }

  private number(value: number): string {
    const shortest = String(value);
    const ways = [shortest, value.toExponential().replace('e', this.sometimes(0.5) ? 'e' : 'E'), `0${shortest}`];
    if (shortest.startsWith('0.')) ways.push(shortest.slice(1));
    if (/^[0-9]+$/.test(shortest)) ways.push(`${shortest}.`, `${shortest}.0`);
    return this.oneOf(ways);
  }

  private text(value: string): string {
    const quote = this.oneOf(['"', "'"]);
    let written = '';
    for (const character of value) {
      const needed = character === quote || character === '\\' || character === '\n' || character === '\r';
      if (needed || this.sometimes(0.1)) written += this.escape(character);
      else written += character;
    }
    return quote + written + quote;
  }

  private escape(character: string): string {
    const short = ESCAPES[character];
    if (short !== undefined && this.sometimes(0.5)) return short;
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${this.word(unit.toString(16).padStart(4, '0'))}`).join('');
  }

  /** Returns a word in random letter case, and a symbol unchanged. */
  private word(text: string): string {
    if (this.sometimes(0.7)) return text;
    return Array.from(text, (letter) => (this.sometimes(0.5) ? letter.toUpperCase() : letter)).join('');
  }

  private oneOf<T>(ways: readonly T[]): T {
    return ways[Math.floor(this.random() * ways.length)] as T;
  }

  private sometimes(chance: number): boolean {
    return this.random() < chance;
  }
}

function levelOf(node: Expression): number {
  if (node.kind === 'prefix' && node.operator === '-') return NEGATION;
  if (!('operator' in node) || node.kind === 'call') return LEAF;
  const level = LEVELS.findIndex((names) => names.includes(node.operator));
  if (level === -1) throw new Error(`The table here does not say how tight ${node.operator} binds`);
  return level;
}

/** Joins tokens with random white space. There is always some between two tokens that would run together. */
function joinTokens(tokens: readonly string[], random: Random): string {
  const looseness = random() / 2;
  const space = () => (random() < looseness ? SPACES[Math.floor(random() * SPACES.length)] : '');
  let text = space() ?? '';
  for (const token of tokens) {
    const joined = /[\w.]$/.test(text) && /^[\w.]/.test(token);
    text += (joined ? ' ' : '') + space() + token;
  }
  return text + space();
}
