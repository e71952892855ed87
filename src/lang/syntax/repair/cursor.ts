import type { Diagnostic } from '../../diagnostic.ts';
import type { Span } from '../../source.ts';
import { takeSteps } from '../../steps.ts';
import * as T from '../vocabulary.ts';

/** The repair of a mistake: the next `count` tokens are replaced by the tokens that were meant. */
export interface Repair {
  readonly count: number;
  readonly replacement: readonly T.Token[];
  /** Omitted if the mistake has been reported already. */
  readonly diagnostic?: Diagnostic | undefined;
}

/** Returns how to repair a mistake at the cursor, undefined if it does not find it there. */
export type FindRepair = (cursor: RepairCursor) => Repair | undefined;

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
    takeSteps(1);
    return this.tokens[this.index + ahead];
  }

  /** Returns whether the next tokens have these types. */
  sees(...types: readonly T.TokenType[]): boolean {
    return types.every((type, ahead) => T.is(this.peek(ahead), type));
  }

  /** Returns the repaired token `back` places before the next one. */
  before(back = 1): T.Token | undefined {
    takeSteps(1);
    return this.repaired.at(-back);
  }

  /** The kind of the innermost open bracket, undefined outside all brackets. */
  get inside(): 'property' | 'list' | 'group' | undefined {
    return this.brackets.at(-1);
  }

  /** True if the repaired tokens end with a complete operand, so that only an operator or the end can follow. */
  get afterOperand(): boolean {
    return T.isOperandEnd(this.before());
  }

  /** Returns the span of the next `count` tokens. */
  span(count = 1): Span {
    return { start: (this.peek() as T.Token).startOffset, end: T.getTokenEnd(this.peek(count - 1) as T.Token) };
  }

  /** The source of the next token. */
  get image(): string {
    return (this.peek() as T.Token).image;
  }

  /** Returns a repair that removes the next tokens. */
  remove(count: number, diagnostic: Diagnostic): Repair {
    return { count, replacement: [], diagnostic };
  }

  /** Returns a repair that reads the next tokens as a word or symbol of the language. */
  readAsWord(count: number, name: string, diagnostic: Diagnostic): Repair {
    return { count, replacement: [this.cover(count, T.findWord(name))], diagnostic };
  }

  /** Returns a repair that reads the next tokens as an operand or, in a list, as an item. */
  readAsOperand(count: number, diagnostic: Diagnostic): Repair {
    const type = this.inside === 'list' ? T.StringLiteral : T.NowWord;
    return { count, replacement: [this.cover(count, type)], diagnostic };
  }

  /** Returns a repair that reads the next tokens as a comparison with a value. */
  readAsComparison(count: number, diagnostic: Diagnostic): Repair {
    const value = T.createTokenAt(this.span(count).end, '', T.NowWord);
    return { count, replacement: [this.cover(count, T.findWord('==')), value], diagnostic };
  }

  /** Adds the replacement to the repaired tokens and moves past the tokens that it replaces. */
  apply({ count, replacement }: Repair): void {
    for (const token of replacement) {
      if (T.is(token, T.OpenBracket)) this.brackets.push(T.is(this.before(), T.ScopeWord) ? 'property' : 'list');
      else if (T.isOpening(token)) this.brackets.push('group');
      else if (T.isClosing(token)) this.brackets.pop();
      this.repaired.push(token);
    }
    this.index += count;
  }

  /** Creates a token of the type over the source of the next `count` tokens. */
  private cover(count: number, type: T.TokenType): T.Token {
    const { start, end } = this.span(count);
    return T.createTokenAt(start, this.source.slice(start, end), type);
  }
}
