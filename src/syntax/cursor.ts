import type { Diagnostic } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import * as T from './token.ts';

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
    return { start: (this.peek() as T.Token).start, end: (this.peek(last) as T.Token).end };
  }

  /** What is written for a token; for the one at the cursor, if no other is given. */
  text({ start, end } = this.peek() as T.Token): string {
    return this.source.slice(start, end);
  }

  keep(): void {
    this.replace(1, this.peek() as T.Token);
  }

  /** Puts other tokens in the place of the next ones. */
  replace(count: number, ...tokens: readonly T.Token[]): void {
    for (const token of tokens) this.push(token);
    this.index += count;
  }

  /** Puts one token in the place of the next ones, over all of their source. */
  substitute(count: number, type: T.TokenType): void {
    this.replace(count, { type, ...this.span(count - 1) });
  }

  /** Takes the next tokens for an operand, or in a list for an item, of which nothing more is known. */
  mend(count: number): void {
    this.substitute(count, this.inside === 'list' ? T.Text : T.Now);
  }

  private push(token: T.Token): void {
    if (T.is(token, T.OpenBracket)) this.brackets.push(T.is(this.before(), T.Scope) ? 'property' : 'list');
    else if (T.isOpening(token)) this.brackets.push('group');
    else if (T.isClosing(token)) this.brackets.pop();
    this.mended.push(token);
  }
}
