import type { Diagnostic } from '../diagnostic.ts';
import type { Span } from '../source.ts';
import * as T from './vocabulary.ts';

/** How to go on after a mistake: the next `count` tokens are replaced by those that were meant. */
export interface Repair {
  readonly count: number;
  readonly meant: readonly T.Token[];
  /** Left out if the mistake has been reported already. */
  readonly diagnostic?: Diagnostic | undefined;
}

/** A position in the tokens, and the repaired tokens before it. */
export class RepairCursor {
  readonly repaired: T.Token[] = [];
  private index = 0;
  private readonly brackets: ('property' | 'list' | 'group')[] = [];

  constructor(
    readonly source: string,
    private readonly tokens: readonly T.Token[],
  ) {}

  peek(ahead = 0): T.Token | undefined {
    return this.tokens[this.index + ahead];
  }

  /** Whether the next tokens have these types. */
  sees(...types: readonly T.TokenType[]): boolean {
    return types.every((type, ahead) => T.is(this.peek(ahead), type));
  }

  /** The repaired token so many places back. */
  before(back = 1): T.Token | undefined {
    return this.repaired.at(-back);
  }

  /** The innermost open bracket. */
  get inside(): 'property' | 'list' | 'group' | undefined {
    return this.brackets.at(-1);
  }

  /** Whether the repaired tokens end with a complete operand, so that only an operator or the end can follow. */
  get afterOperand(): boolean {
    return T.isOperandEnd(this.before());
  }

  /** The span of the next tokens. */
  span(count = 1): Span {
    return { start: (this.peek() as T.Token).startOffset, end: T.getTokenEnd(this.peek(count - 1) as T.Token) };
  }

  /** The source of the next token. */
  get image(): string {
    return (this.peek() as T.Token).image;
  }

  /** Removes the next tokens. */
  remove(count: number, diagnostic: Diagnostic): Repair {
    return { count, meant: [], diagnostic };
  }

  /** Reads the next tokens as a word or symbol of the language. */
  readAsWord(count: number, name: string, diagnostic: Diagnostic): Repair {
    return { count, meant: [this.cover(count, T.findWord(name))], diagnostic };
  }

  /** Reads the next tokens as an operand, or in a list as an item. */
  readAsOperand(count: number, diagnostic: Diagnostic): Repair {
    return { count, meant: [this.cover(count, this.inside === 'list' ? T.StringLiteral : T.NowWord)], diagnostic };
  }

  apply({ count, meant }: Repair): void {
    for (const token of meant) {
      if (T.is(token, T.OpenBracket)) this.brackets.push(T.is(this.before(), T.ScopeWord) ? 'property' : 'list');
      else if (T.isOpening(token)) this.brackets.push('group');
      else if (T.isClosing(token)) this.brackets.pop();
      this.repaired.push(token);
    }
    this.index += count;
  }

  private cover(count: number, type: T.TokenType): T.Token {
    const { start, end } = this.span(count);
    return T.createTokenAt(start, this.source.slice(start, end), type);
  }
}
