import type { Diagnostic } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import * as T from './vocabulary.ts';

/** A place in the tokens, with what has been mended before it. */
export class Cursor {
  readonly mended: T.Token[] = [];
  private index = 0;
  private readonly brackets: ('property' | 'list' | 'group')[] = [];

  constructor(
    readonly source: string,
    private readonly tokens: readonly T.Token[],
    readonly report: (diagnostic: Diagnostic) => void,
  ) {}

  peek(ahead = 0): T.Token | undefined {
    return this.tokens[this.index + ahead];
  }

  /** Whether the tokens from the cursor on are of these types. */
  sees(...types: readonly T.TokenType[]): boolean {
    return types.every((type, ahead) => T.is(this.peek(ahead), type));
  }

  /** The mended token so many places back. */
  before(back = 1): T.Token | undefined {
    return this.mended.at(-back);
  }

  /** The innermost bracket that is open here. */
  get inside(): 'property' | 'list' | 'group' | undefined {
    return this.brackets.at(-1);
  }

  /** Whether what is mended ends with a complete operand, so that only an operator or the end can follow. */
  get afterOperand(): boolean {
    return T.endsOperand(this.before());
  }

  /** Source from the token at the cursor to the one so many places on. */
  span(last = 0): Span {
    return { start: (this.peek() as T.Token).startOffset, end: T.endOf(this.peek(last) as T.Token) };
  }

  /** The source of the token at the cursor. */
  get image(): string {
    return (this.peek() as T.Token).image;
  }

  keep(): void {
    this.replace(1, this.peek() as T.Token);
  }

  /** Puts other tokens in the place of the next ones. */
  replace(count: number, ...tokens: readonly T.Token[]): void {
    for (const token of tokens) this.push(token);
    this.index += count;
  }

  /** Puts one word or symbol in the place of the next tokens, over all of their source. */
  substitute(count: number, name: string): void {
    this.cover(count, T.findWord(name));
  }

  /** Takes the next tokens for an operand, or in a list for an item, of which nothing more is known. */
  mend(count: number): void {
    this.cover(count, this.inside === 'list' ? T.StringLiteral : T.Now);
  }

  private cover(count: number, type: T.TokenType): void {
    const { start, end } = this.span(count - 1);
    this.replace(count, T.createTokenAt(start, this.source.slice(start, end), type));
  }

  private push(token: T.Token): void {
    if (T.is(token, T.OpenBracket)) this.brackets.push(T.is(this.before(), T.Scope) ? 'property' : 'list');
    else if (T.isOpening(token)) this.brackets.push('group');
    else if (T.isClosing(token)) this.brackets.pop();
    this.mended.push(token);
  }
}
